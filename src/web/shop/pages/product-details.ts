// What a product page shows besides the offer: pictures, attributes and how the partner delivers.

import { html, type Html } from '../../../http/html.ts'
import type { DeliveryMethod, Offer, ProductDetail } from '../../../sdk/index.ts'
import { icon } from '../icons.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

export function gallery(visit: Visit, product: ProductDetail, chosen: Offer | undefined): Html {
  const { name, discount } = product
  const { images } = product.variants.find((it) => it.id === chosen?.variant_id) ?? product
  return html`<div class="gallery">
    <img
      src="${visit.picture(images[0]?.lg_path ?? '')}"
      alt="${visit.nameOf(name)}"
      width="480"
      height="480"
      fetchpriority="high"
    />
    ${discount !== null && html`<b class="off">−${Math.abs(discount)}%</b>`}
    ${
      images.length > 1 &&
      html`<div class="thumbs">
        ${images.map(
          (it) =>
            html`<img src="${visit.picture(it.sm_path)}" alt="" width="72" height="72" loading="lazy" />`,
        )}
      </div>`
    }
  </div>`
}

export const specifications = (visit: Visit, { attributes }: ProductDetail): Html | false =>
  attributes.length > 0 &&
  html`<section class="specs">
    <h2>${visit.texts.specifications}</h2>
    <dl>
      ${attributes.map(
        (it) =>
          html`<div>
            <dt>${visit.say(it.name)}</dt>
            <dd>${visit.say(it.text)}</dd>
          </div>`,
      )}
    </dl>
  </section>`

/** The partner's methods; none is better than no page. */
export const loadDeliveryMethods = (visit: Visit, offer: Offer | undefined): Promise<DeliveryMethod[]> =>
  offer
    ? visit.keep(`delivery ${offer.partner.id}`, async () => {
        const { items } = await visit.store.deliveryMethods.list({
          partner_id: offer.partner.id,
          active: true,
        })
        return items
      })
    : Promise.resolve([])

export const deliveryMethods = (visit: Visit, methods: readonly DeliveryMethod[]): Html =>
  html`<div class="promise">
    ${icon('truck')}
    ${
      methods.length === 0
        ? html`<span>${visit.texts.deliveryHint}</span>`
        : html`<ul class="delivery-methods">
            ${methods.map(
              (it) =>
                html`<li>
                  <span>${visit.say(it.name)}</span>
                  <small>${fill(visit.texts.deliveryDays, { from: it.days_min, to: it.days_max })}</small>
                  <b>${it.price.amount === 0 ? visit.texts.free : visit.format.money(it.price)}</b>
                </li>`,
            )}
          </ul>`
    }
  </div>`
