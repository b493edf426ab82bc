// Saved addresses of a client: listed and changed in the account, filled in at checkout.

import { html, type Html } from '../../../http/html.ts'
import { BozorError, type Operations } from '../../../sdk/index.ts'
import { field } from '../fields.ts'
import { leaveNote } from '../notes.ts'
import type { Reply } from '../storefront.ts'
import type { Visit } from '../visit.ts'

type Saved = Operations['auth.listAddresses']['reply']['addresses'][number]

const names = ['city', 'street', 'building', 'apartment', 'landmark'] as const
const optional: readonly string[] = ['apartment', 'landmark']

export async function addressesPanel(visit: Visit, problems: Map<string, string>): Promise<Html> {
  const { texts, bozor } = visit
  const [{ addresses }, { regions }] = await Promise.all([bozor.auth.listAddresses(), bozor.regions.list()])
  return html`<section class="panel" id="addresses">
    <h2 class="small-title">${texts.addresses}</h2>
    ${addresses.length === 0 && html`<p class="muted">${texts.none}</p>`}
    ${addresses.map(
      (it) =>
        html`<form class="account-item" method="post" action="${visit.at('/account/address/remove')}">
          <input type="hidden" name="id" value="${it.id}" />
          <span>${it.title ?? it.text} ${it.title !== null && html`<small>${it.text}</small>`}</span>
          <button class="quiet-link" aria-label="${texts.remove}: ${it.title ?? it.text}">
            ${texts.remove}
          </button>
        </form>`,
    )}
    <details ${[...problems.keys()].some((it) => it.startsWith('address.')) && html`open`}>
      <summary class="button soft">${texts.addressAdd}</summary>
      <form method="post" action="${visit.at('/account/address')}">
        ${field(visit, { name: 'title', label: texts.addressTitle, isOptional: true, value: visit.form['title'] })}
        <div class="field">
          <label for="region">${texts.region}</label>
          <select id="region" name="region" autocomplete="address-level1">
            ${regions.map(
              ({ code, name }) =>
                html`<option value="${code}" ${code === visit.form['region'] && html`selected`}>
                  ${visit.say(name)}
                </option>`,
            )}
          </select>
        </div>
        ${names.map((name) =>
          field(visit, {
            name,
            label: texts[name],
            isOptional: optional.includes(name),
            value: visit.form[name],
            problem: problems.get(`address.${name === 'building' ? 'house' : name}`),
          }),
        )}
        <button class="button brand">${texts.save}</button>
      </form>
    </details>
  </section>`
}

type Show = (visit: Visit, refused: BozorError) => Promise<Reply>

async function changed(
  visit: Visit,
  { note, show, run }: { note: 'addressSaved' | 'addressRemoved'; show: Show; run: () => Promise<unknown> },
): Promise<Reply> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof BozorError) || error.status === 401) throw error
    return show(visit, error)
  }
  leaveNote(visit, note)
  return { kind: 'redirect', status: 303, to: visit.at('/account') }
}

export const saveAddress = (visit: Visit, show: Show): Promise<Reply> =>
  changed(visit, {
    note: 'addressSaved',
    show,
    run: () => {
      const text = (name: string) => visit.form[name]?.trim() ?? ''
      return visit.bozor.auth.createAddress({
        ...(text('title') && { title: text('title') }),
        address: {
          region: text('region'),
          city: text('city'),
          street: text('street'),
          house: text('building'),
          ...(text('apartment') && { apartment: text('apartment') }),
          ...(text('landmark') && { landmark: text('landmark') }),
        },
      })
    },
  })

export const removeAddress = (visit: Visit, show: Show): Promise<Reply> =>
  changed(visit, {
    note: 'addressRemoved',
    show,
    run: () => visit.bozor.auth.deleteAddress({ address_id: visit.form['id'] || '-' }),
  })

/** At the first view of the checkout, a client's newest address is filled in. */
export async function withSavedAddress(visit: Visit): Promise<Visit> {
  if (!visit.clientName || visit.form['sent']) return visit
  const { addresses } = await visit.bozor.auth.listAddresses()
  const [newest] = addresses
  return newest ? { ...visit, form: { ...formOf(newest), ...visit.form } } : visit
}

const formOf = ({ address }: Saved): Record<string, string> => ({
  region: address.region,
  city: address.city,
  street: address.street,
  building: address.house,
  apartment: address.apartment ?? '',
  landmark: address.landmark ?? '',
})
