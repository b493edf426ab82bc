// Every address of the storefront.

import { signedInPath } from './application.ts'
import * as account from './pages/account.ts'
import * as cart from './pages/cart-actions.ts'
import { cartPage } from './pages/cart.ts'
import * as checkout from './pages/checkout.ts'
import { catalogPage, homePage } from './pages/home.ts'
import { categoryById, categoryPage, dealsPage, searchPage } from './pages/listing.ts'
import * as mandates from './pages/mandates.ts'
import * as mini from './pages/mini.ts'
import * as order from './pages/order.ts'
import * as orders from './pages/orders.ts'
import { offerPage, productById, productPage, reviewProduct } from './pages/product.ts'
import { reportAction } from './pages/report.ts'
import * as shared from './pages/shared.ts'
import * as signIn from './pages/sign-in.ts'
import { sitemap } from './pages/sitemap.ts'
import { suggestFragment } from './pages/suggest.ts'
import { wishlistPage } from './pages/wishlist.ts'
import type { Reply } from './storefront.ts'
import type { Visit } from './visit.ts'

interface ShopRoute {
  method: 'GET' | 'POST'
  /** Below `/shop/{language}`. */
  path: string
  /** The address has no language: it is directly below `/shop`. */
  isShared?: true
  run(visit: Visit): Promise<Reply>
}

const get = (path: string, run: ShopRoute['run']): ShopRoute => ({
  method: 'GET',
  path,
  run: (visit) => run(visit),
})
const post = (path: string, run: ShopRoute['run']): ShopRoute => ({
  method: 'POST',
  path,
  run: (visit) => run(visit),
})

export const routes: ShopRoute[] = [
  get('', homePage),
  get('/catalog', catalogPage),
  get('/c/{slug}', categoryPage),
  get('/c/{id}/{slug}', categoryById),
  get('/search', searchPage),
  get('/deals', dealsPage),
  get('/p/{slug}', productPage),
  get('/p/{id}/{slug}', productById),
  post('/p/{id}/review', reviewProduct),
  get('/o/{id}', offerPage),
  get('/suggest', suggestFragment),
  post('/report', reportAction),
  { ...get('/sitemap.xml', sitemap), isShared: true },

  get('/cart', cartPage),
  post('/cart/add', cart.addToCart),
  post('/cart/quantity', cart.changeCart),
  post('/cart/condition', cart.changeCondition),
  post('/cart/remove', cart.removeFromCart),
  post('/cart/clear', cart.clearCart),
  post('/cart/coupon', cart.applyCoupon),
  post('/cart/coupon/remove', cart.removeCoupon),
  get('/wishlist', wishlistPage),
  post('/wishlist/add', cart.addToWishlist),
  post('/wishlist/remove', cart.removeFromWishlist),

  get('/checkout', checkout.checkoutPage),
  post('/checkout/review', checkout.reviewCheckout),
  post('/checkout', checkout.placeOrder),
  get('/placed', orders.placedPage),
  post('/placed/pay', orders.payPlaced),
  get('/orders', orders.ordersPage),
  get('/orders/find', orders.findOrder),
  get('/orders/{id}', order.orderPage),
  post('/orders/{id}/pay', order.payOrder),
  post('/orders/{id}/cancel', order.cancelOrder),
  post('/orders/{id}/return', order.returnOrder),
  post('/orders/{id}/to-cart', order.orderToCart),

  get('/sign-in', signIn.signInPage),
  get('/sign-in/start', signIn.beginSignIn),
  { ...get(signedInPath.replace('/shop', ''), signIn.endSignIn), isShared: true },
  get('/sign-up', signIn.signUpPage),
  post('/sign-up', signIn.signUp),
  post('/sign-out', signIn.endSession),
  get('/account', account.accountPage),
  post('/account/profile', account.saveProfile),
  post('/account/address', account.addAddress),
  post('/account/address/remove', account.deleteAddress),
  post('/account/messages', account.saveMessages),
  post('/account/session', account.removeSession),
  post('/account/device', account.removeDevice),
  post('/account/application', account.removeApplication),
  get('/account/mandates', mandates.mandatesPage),
  post('/account/mandates', mandates.grantMandate),
  post('/account/mandates/revoke', mandates.revokeMandate),
  post('/account/mandates/confirm', mandates.confirmMandate),

  get('/shared', shared.sharePage),
  post('/shared/create', shared.createShared),
  get('/shared/{id}', shared.sharedPage),
  post('/shared/{id}/join', shared.joinShared),
  post('/shared/{id}/add', shared.addToShared),
  post('/shared/{id}/quantity', shared.changeShared),
  post('/shared/{id}/remove', shared.removeShared),
  post('/shared/{id}/take', shared.takeShared),

  get('/mini', mini.miniPage),
  post('/mini/add', mini.addToMini),
  post('/mini/remove', mini.removeFromMini),
  post('/mini/coupon', mini.applyMiniCoupon),
  post('/mini/coupon/remove', mini.removeMiniCoupon),
]
