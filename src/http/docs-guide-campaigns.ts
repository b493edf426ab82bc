import { asJson, bearer, card, jsonCode, shellCard } from './docs-example.ts'
import type { GuideSection } from './docs-guide.ts'
import { html } from './docs-html.ts'
import type { Reading } from './docs-operation.ts'

const results = {
  sent: 182,
  clicked: 41,
  held_out: 20,
  suppressed: { occasion_over: 9, frequency_cap: 2 },
  told: { clients: 182, buyers: 29, conversion: 0.159 },
  holdout: { clients: 20, buyers: 2, conversion: 0.1 },
  uplift: { difference: 0.059, low: -0.147, high: 0.153, confidence: 0.95 },
}

export const campaigns = ({ origin }: Reading): GuideSection => ({
  id: 'campaigns',
  title: 'Campaigns',
  words: html`<p>
      A campaign says who is written to (<code>audience</code>), what sets it off (<code>when</code>) and what
      is said (a template). It is drafted, previewed, started, and may be paused and finished; what is allowed
      now stands in it. Nobody is written to who has not agreed to marketing over its channel.
    </p>
    <p>
      The audience is a list of conditions that must all hold, each by its name;
      <code>{"not": …}</code> turns one round. <code>when</code> is one of a date (<code>at</code>), a
      schedule (<code>cron</code>, in the shop's zone) and a trigger: a cart that was left, a wish that became
      cheaper or can be had again, a delivered order, a promotion that starts. A trigger counts from the start
      of the campaign.
    </p>
    <p>
      Each client is decided on when his message is due: whoever has ordered meanwhile, withdrawn his consent,
      or got enough messages is passed over, and the results say why. What falls into quiet hours waits for
      their end. Of <code>holdout_percent</code> nobody hears, so that the results can say how many more buy
      because they were written to, and within which bounds that is certain.
    </p>
    <p>
      Try it in test: put something into a cart, start a campaign, and
      <a href="#test-clock">move the clock</a> three days ahead.
    </p>`,
  code: html`${shellCard(
    'Draft a campaign',
    `curl ${origin}/v1/marketing/campaigns`,
    bearer,
    asJson,
    `-d '{"name": "Carts left for three days", "channel": "email", "template": "cart-left", "when": {"cart_abandoned": {"days": 3}}, "audience": [{"not": {"ordered": {"times": 1, "days": 3}}}], "holdout_percent": 10}'`,
  )}
  ${shellCard('Who would get what?', `curl ${origin}/v1/marketing/campaigns/1/preview`, bearer)}
  ${shellCard('Start it', `curl -X POST ${origin}/v1/marketing/campaigns/1/start`, bearer)}
  ${card('What came of it, in part', jsonCode(results), 'GET …/1/results')}`,
})
