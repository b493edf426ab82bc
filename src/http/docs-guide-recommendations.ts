import { asJson, bearer, shellCard } from './docs-example.ts'
import type { GuideSection } from './docs-guide.ts'
import { html } from './docs-html.ts'
import type { Reading } from './docs-operation.ts'

export const recommendations = ({ origin }: Reading): GuideSection => ({
  id: 'recommendations',
  title: 'Recommendations',
  words: html`<p>
      A call for a list needs no credential. Its reply carries <code>X-Recommendation-Id</code>: send it back
      as <code>request_id</code> when you report what became of the list, and it can be told what lists bring.
    </p>
    <p>
      Report looks and clicks to <code>/v1/interactions</code>, up to a thousand at once; the next list knows
      of them. Carts, wishes and orders of this shop need no report: it sees them itself, and a report of the
      same deed within fifteen minutes counts once.
    </p>
    <p>
      A buyer may go by several names: his client id, a guest's session, any of his <code>external_ids</code>,
      in R3 his phone. A guest's past becomes the client's when carts or wishlists are merged, or when he
      signs in with <code>guest_session_id</code>; ids of other systems are linked when he signs in with
      <code>external_ids</code>.
    </p>
    <p>
      An experiment gives groups of buyers different lists and says, with intervals, what came of it. A buyer
      stays in his group on every call and node. <code>/v1/recommendations/explain</code> tells why every
      offer of a list stands where it stands, also of a list that was shown.
    </p>`,
  code: html`${shellCard(
    'Report a click',
    `curl ${origin}/v1/interactions`,
    bearer,
    asJson,
    `-d '{"interactions": [{"user_id": "1", "offer_id": "1000", "kind": "click", "request_id": "019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11"}]}'`,
  )}
  ${shellCard(
    'Why was that list so?',
    `curl ${origin}/v1/recommendations/explain`,
    bearer,
    asJson,
    `-d '{"recommendation_id": "019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11"}'`,
  )}
  ${shellCard(
    'Plan an experiment',
    `curl ${origin}/v1/recommendations/experiments`,
    bearer,
    asJson,
    `-d '{"slug": "ranker-or-cf", "name": "Ranker or not", "layers": ["main_page"], "groups": [{"name": "ranker", "share": 0.5, "method": "ranker"}, {"name": "cf", "share": 0.5, "method": "cf"}]}'`,
  )}`,
})
