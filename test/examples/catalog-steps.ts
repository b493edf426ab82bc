import { dayMs } from '../../src/base/clock.ts'
import { pngOf } from '../support/png.ts'
import type { Steps } from './steps.ts'

export async function catalogSteps({ bozor }: Steps): Promise<void> {
  const page = { per_page: 2 }
  await bozor.categories.list({ ...page, level: 1 })
  const { category } = await bozor.categories.create({
    slug: 'electric-bikes',
    name: { ru: 'Электровелосипеды', uz: 'Elektr velosipedlar', en: 'Electric bikes' },
  })
  const { items: roots } = await bozor.categories.list({ ...page, level: 1 })
  await bozor.categories.get({ category_id: roots[0]!.id })
  await bozor.categories.getBySlug({ slug: roots[0]!.slug })
  await bozor.categories.replace({
    category_id: category.id,
    slug: 'electric-bikes',
    name: { ru: 'Электровелосипеды', uz: 'Elektr velosipedlar', en: 'Electric bicycles' },
    description: { en: 'Bicycles with a motor.' },
  })
  await bozor.categories.update({ category_id: category.id, image_url: 'https://shop.uz/pictures/bikes.png' })

  await bozor.brands.list(page)
  const { brand } = await bozor.brands.create({ slug: 'chorsu-bikes', name: 'Chorsu Bikes' })
  await bozor.brands.get({ brand_id: 1 })
  await bozor.brands.replace({ brand_id: brand.id, slug: 'chorsu-bikes', name: 'Chorsu' })
  await bozor.brands.update({ brand_id: brand.id, name: 'Chorsu Bikes' })

  await bozor.partners.list({ ...page, credit_active: true })
  const { partner } = await bozor.partners.create({
    slug: 'velo-tashkent',
    name: 'Velo Tashkent',
    rating: 4.7,
    credit_active: true,
  })
  await bozor.partners.get({ partner_id: 1 })
  await bozor.partners.replace({
    partner_id: partner.id,
    slug: 'velo-tashkent',
    name: 'Velo Tashkent',
    credit_active: true,
  })
  await bozor.partners.update({ partner_id: partner.id, is_recommended: true })

  const { items: conditions } = await bozor.loanConditions.list({ ...page, active: true })
  const { loan_condition: condition } = await bozor.loanConditions.create({
    partner_id: partner.id,
    duration: 12,
    commission: 8,
  })
  const conditionId = condition.id
  await bozor.loanConditions.get({ loan_condition_id: conditions[0]!.id })
  await bozor.loanConditions.replace({ loan_condition_id: conditionId, partner_id: partner.id, duration: 12 })
  await bozor.loanConditions.update({ loan_condition_id: conditionId, commission: 6 })

  await bozor.pictures.create({ body: pngOf(800, 600) }, { headers: { 'Content-Type': 'image/png' } })
  await deliverySteps({ bozor }, partner.id)
  await attributeSteps({ bozor }, category.id)
  await productSteps({ bozor }, { categoryId: category.id, brandId: brand.id, partnerId: partner.id })
  await bozor.loanConditions.delete({ loan_condition_id: conditionId })
  await bozor.partners.delete({ partner_id: partner.id })
  await bozor.brands.delete({ brand_id: brand.id })
  await bozor.categories.delete({ category_id: category.id })
  await recordSteps({ bozor })
  await bozor.search.getSynonyms()
  await bozor.search.preview({ q: 'чайник', per_page: 2 })
  await bozor.search.listQueries({ per_page: 2 })
  await bozor.search.replaceSynonyms({ text: 'somsa, samsa, самса\nsnack > nuts, crackers' })
}

async function deliverySteps({ bozor }: Pick<Steps, 'bozor'>, partnerId: string): Promise<void> {
  const courier = {
    partner_id: partnerId,
    kind: 'courier' as const,
    name: { ru: 'Курьер', uz: 'Kuryer', en: 'Courier' },
    price_tiyin: 2_500_000,
    regions: ['UZ-TK'],
  }
  await bozor.regions.list()
  const { delivery_method: method } = await bozor.deliveryMethods.create(courier)
  const id = { delivery_method_id: method.id }
  const { items } = await bozor.deliveryMethods.list({ per_page: 2, partner_id: '1' })
  await bozor.deliveryMethods.get({ delivery_method_id: items[0]!.id })
  await bozor.deliveryMethods.replace({ ...id, ...courier, days_min: 1, days_max: 2 })
  await bozor.deliveryMethods.update({ ...id, free_from_tiyin: 30_000_000 })
  await bozor.deliveryMethods.delete(id)
}

async function attributeSteps({ bozor }: Pick<Steps, 'bozor'>, categoryId: string): Promise<void> {
  const range = {
    code: 'range_km',
    kind: 'number' as const,
    category_id: categoryId,
    name: { ru: 'Запас хода', uz: 'Yurish masofasi', en: 'Range' },
    unit: { ru: 'км', uz: 'km', en: 'km' },
  }
  const { attribute } = await bozor.attributes.create(range)
  const id = { attribute_id: attribute.id }
  const { items } = await bozor.attributes.list({ per_page: 2, kind: 'number' })
  await bozor.attributes.get({ attribute_id: items[0]!.id })
  await bozor.attributes.replace({ ...id, ...range, position: 10 })
  await bozor.attributes.update({ ...id, facet: false })
  await bozor.attributes.delete(id)
}

interface Parents {
  categoryId: string
  brandId: string
  partnerId: string
}

async function productSteps(
  { bozor }: Pick<Steps, 'bozor'>,
  { categoryId, brandId, partnerId }: Parents,
): Promise<void> {
  const page = { per_page: 2 }
  await bozor.products.list({ ...page, in_stock: true, sort: '-popularity' })
  await bozor.products.search({ ...page, q: 'smartphone', in_stock: true })
  await bozor.products.suggest({ q: 'smar', limit: 5 })
  const { product } = await bozor.products.create({
    category_id: categoryId,
    brand_id: brandId,
    slug: 'chorsu-city-26',
    name: { ru: 'Электровелосипед Chorsu City 26', uz: 'Chorsu City 26', en: 'Chorsu City 26 electric bike' },
  })
  const { product: phone } = await bozor.products.get({
    product_id: (await bozor.products.search({ q: 'smartphone', in_stock: true })).items[0]!.id,
  })
  await bozor.products.getBySlug({ slug: phone.slug })
  const named = { en: 'Chorsu City 26 electric bike' }
  await bozor.products.replace({
    product_id: product.id,
    category_id: categoryId,
    slug: 'chorsu-city-26',
    name: named,
  })
  await bozor.products.update({ product_id: product.id, brand_id: brandId })

  await bozor.variants.list({ ...page, product_id: phone.id })
  const { items: variants } = await bozor.variants.list(page)
  const { variant } = await bozor.variants.create({
    product_id: product.id,
    name: { ru: 'Синий', uz: 'Ko‘k', en: 'Blue' },
    attributes: { color: 'blue' },
  })
  await bozor.variants.get({ variant_id: variants[0]!.id })
  await bozor.variants.replace({ variant_id: variant.id, product_id: product.id, name: { en: 'Blue' } })
  await bozor.variants.update({ variant_id: variant.id, attributes: { color: 'blue', frame: '54 cm' } })

  const fields = { product_id: product.id, partner_id: partnerId, price_tiyin: 890_000_000, quantity: 12 }
  const { items: offers } = await bozor.offers.list({ ...page, in_stock: true })
  const ofDemo = { offer_id: offers[0]!.id }
  const { offer } = await bozor.offers.create({ ...fields, variant_id: variant.id })
  await bozor.offers.get(ofDemo)
  await bozor.offers.replace({ offer_id: offer.id, ...fields, variant_id: variant.id })
  await bozor.offers.update({ offer_id: offer.id, price_tiyin: 849_000_000, old_price_tiyin: 890_000_000 })
  await bozor.offers.createStockAdjustment({ offer_id: offer.id, change: -1, reason: 'Damaged in storage' })
  await bozor.offers.listStockMovements({ ...ofDemo, ...page })
  await bozor.offers.getStock(ofDemo)
  await moderatedSteps({ bozor }, fields)
  await bozor.offers.delete({ offer_id: offer.id })
  await bozor.variants.delete({ variant_id: variant.id })
  await bozor.products.delete({ product_id: product.id })
}

async function moderatedSteps(
  { bozor }: Pick<Steps, 'bozor'>,
  fields: { product_id: string; partner_id: string; price_tiyin: number; quantity: number },
): Promise<void> {
  const page = { per_page: 2 }
  const { items } = await bozor.moderatedOffers.list({ ...page, status: 'approved' })
  const ofDemo = { moderated_offer_id: items[0]!.id }
  const { moderated_offer: offer } = await bozor.moderatedOffers.create({ ...fields, quantity: 3 })
  const id = { moderated_offer_id: offer.id }
  await bozor.moderatedOffers.get(ofDemo)
  await bozor.moderatedOffers.replace({ ...id, ...fields })
  await bozor.moderatedOffers.update({ ...id, price_tiyin: 845_000_000 })
  await bozor.moderatedOffers.submit(id)
  await bozor.moderatedOffers.reject({ ...id, reason: 'The picture shows another colour.' })
  await bozor.moderatedOffers.submit(id)
  await bozor.moderatedOffers.approve(id)
  await bozor.moderatedOffers.getHistory(ofDemo)
  await bozor.moderatedOffers.createStockAdjustment({ ...id, change: 5, reason: 'Delivery of 2 November' })
  await bozor.moderatedOffers.listStockMovements({ ...ofDemo, ...page })
  await bozor.moderatedOffers.getStock(ofDemo)
  await bozor.moderatedOffers.delete(id)
}

async function recordSteps({ bozor }: Pick<Steps, 'bozor'>): Promise<void> {
  await bozor.exchangeRates.list()
  await bozor.exchangeRates.get({ currency: 'USD' })
  await bozor.exchangeRates.set({ currency: 'GEL', tiyin: 465_000 })
  await bozor.exchangeRates.delete({ currency: 'GEL' })
  await bozor.records.import({
    body: '{"record":"brand","id":9001,"slug":"artel-home","name":"Artel Home"}\n{"record":"brand","id":9002,"slug":"artel-pro","name":"Artel Pro"}\n',
  })
  await bozor.records.export({ records: ['brand'] })

  const { items } = await bozor.promotions.list({ per_page: 2, running: true })
  await bozor.promotions.listConflicts()
  const now = Date.parse((await bozor.testClock.get()).clock.now)
  const { promotion } = await bozor.promotions.create({
    slug: 'spring-week',
    title: 'Весенняя неделя',
    title_uz: 'Bahor haftasi',
    ends_at: new Date(now + 7 * dayMs).toISOString(),
    brand_ids: ['1'],
    discount_percent: 15,
  })
  const id = { promotion_id: promotion.id }
  await bozor.promotions.get({ promotion_id: items[0]!.id })
  await bozor.promotions.replace({
    ...id,
    slug: 'spring-week',
    title: 'Весенняя неделя',
    brand_ids: ['1'],
    discount_percent: 20,
  })
  await bozor.promotions.update({ ...id, discount_percent: 18 })
  await bozor.promotions.end(id)
  await bozor.promotions.delete(id)
}
