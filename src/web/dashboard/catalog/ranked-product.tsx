// A result of the search preview. The row says in short why the product is found; opened, it shows every part of its score.

import { Link } from '@tanstack/react-router'
import type { Operations } from '../../../sdk/index.ts'
import { count, fillIn, money, type Texts } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Icon } from '../ui/icons.tsx'
import { ProductName } from './products.tsx'
import { availabilityTexts, fieldTexts, kindTexts, searchPreviewTexts } from './search-preview-texts.ts'

type Result = Operations['search.preview']['reply']['results'][number]
type Match = Result['matches'][number]

const tones: Record<Result['availability'], Tone> = {
  in_stock: 'good',
  out_of_stock: 'warn',
  not_offered: 'neutral',
}

export function RankedProduct({ it }: { it: Result }) {
  const t = useTexts(searchPreviewTexts)
  const available = useTexts(availabilityTexts)
  const { language } = useSession()
  const { product } = it
  return (
    <li>
      <details className="group">
        <summary className="hover:bg-hover flex list-none items-center gap-3 px-4 py-2 [&::-webkit-details-marker]:hidden">
          <span className="text-faint figures w-6 shrink-0 text-right">{it.place}</span>
          <span className="flex min-w-0 flex-1 flex-col gap-1">
            <ProductName name={product.name} image={product.images[0]?.sm_path} />
            <span className="flex flex-wrap gap-x-3 gap-y-0.5 pl-11 text-xs max-sm:pl-0">
              {it.matches.map((one) => (
                <ShortMatch key={one.typed} match={one} />
              ))}
              {it.missing.map((one) => (
                <span key={one} className="text-warn">
                  <s>{one}</s> {t.missing}
                </span>
              ))}
            </span>
          </span>
          <span className="max-lg:hidden">
            <Badge text={available[it.availability]} tone={tones[it.availability]} />
          </span>
          <Movement it={it} />
          <span className="figures w-28 shrink-0 text-right whitespace-nowrap max-sm:hidden">
            {product.price ? money(product.price, language) : '–'}
          </span>
          <span className="figures w-12 shrink-0 text-right font-medium">{it.score.toFixed(1)}</span>
          <Icon name="right" className="text-faint shrink-0 transition-transform group-open:rotate-90" />
        </summary>
        <Parts it={it} />
      </details>
    </li>
  )
}

function ShortMatch({ match }: { match: Match }) {
  const fields = useTexts(fieldTexts)
  return (
    <span className="text-soft">
      {match.typed !== match.found && <span>{match.typed} → </span>}
      <span className="text-ink font-medium">{match.found}</span> · {fields[match.field]}
    </span>
  )
}

/** What the learned ranker did to the place. */
function Movement({ it }: { it: Result }) {
  const t = useTexts(searchPreviewTexts)
  const { place, place_before_learning: before } = it
  if (before === place) return <span className="w-8 shrink-0 max-sm:hidden" />
  const isUp = before === null || before > place
  const text = movementText(t, it)
  return (
    <span
      title={`${t.learned}: ${text}`}
      className={`figures w-8 shrink-0 text-right text-xs ${isUp ? 'text-good' : 'text-soft'}`}
    >
      <span aria-hidden="true">
        {isUp ? '↑' : '↓'}
        {before === null ? '' : Math.abs(before - place)}
      </span>
      <span className="sr-only">{text}</span>
    </span>
  )
}

const Parts = ({ it }: { it: Result }) => (
  <div className="bg-canvas border-line grid gap-x-10 gap-y-4 border-t px-4 py-3 md:grid-cols-[3fr_2fr] md:pl-13">
    <div className="min-w-0 overflow-x-auto">
      <WordsTable it={it} />
      <Link to={`/products/${it.product.id}`} className="text-accent mt-2 inline-block hover:underline">
        {it.product.name}
      </Link>
    </div>
    <ScoreParts it={it} />
  </div>
)

function WordsTable({ it }: { it: Result }) {
  const t = useTexts(searchPreviewTexts)
  const kinds = useTexts(kindTexts)
  const fields = useTexts(fieldTexts)
  return (
    <table className="w-full text-left" aria-label={t.why}>
      <thead>
        <tr className="text-soft text-xs">
          {[t.word, t.found, t.how, t.where].map((head) => (
            <th key={head} scope="col" className="pr-3 pb-1 font-medium">
              {head}
            </th>
          ))}
          <th scope="col" className="pb-1 text-right font-medium">
            {t.points}
          </th>
        </tr>
      </thead>
      <tbody>
        {it.matches.map((one) => (
          <tr key={one.typed} className="align-top">
            <td className="py-0.5 pr-3">
              {one.typed === one.searched ? one.typed : `${one.typed} → ${one.searched}`}
            </td>
            <td className="py-0.5 pr-3 font-medium">{one.found}</td>
            <td className="text-soft py-0.5 pr-3">{kinds[one.kind]}</td>
            <td className="text-soft py-0.5 pr-3">{fields[one.field]}</td>
            <td className="figures py-0.5 text-right">{one.points.toFixed(1)}</td>
          </tr>
        ))}
        {it.missing.map((one) => (
          <tr key={one}>
            <td className="py-0.5 pr-3">{one}</td>
            <td colSpan={3} className="text-warn py-0.5 pr-3">
              {t.missing}
            </td>
            <td className="figures py-0.5 text-right">0</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** How the words, the shop and what was learned make the score and the place. */
function ScoreParts({ it }: { it: Result }) {
  const t = useTexts(searchPreviewTexts)
  const available = useTexts(availabilityTexts)
  const before = it.place_before_learning
  const known = `${available[it.availability]}, ${t.popularity.toLowerCase()} ${count(it.popularity)}`
  const parts = [
    [t.textScore, it.text_score.toFixed(1), it.accessory_factor < 1 ? t.accessory : ''],
    [t.boost, `× ${it.boost_factor.toFixed(3)}`, known],
    ...(it.predicted_factor > 1 ? [[t.predicted, `× ${it.predicted_factor}`, '']] : []),
    [t.score, it.score.toFixed(1), ''],
    [t.learned, `${before ?? '>100'} → ${it.place}`, movementText(t, it)],
  ] as const
  return (
    <dl className="flex flex-col gap-1">
      {parts.map(([name, value, note]) => (
        <div key={name} className="flex items-baseline gap-3">
          <dt className="min-w-0 flex-1">
            {name}
            {note && <span className="text-soft block text-xs">{note}</span>}
          </dt>
          <dd className="figures font-medium whitespace-nowrap">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function movementText(
  t: Texts<typeof searchPreviewTexts>,
  { place, place_before_learning: before }: Result,
): string {
  if (before === null) return t.farAway
  if (before === place) return t.unmoved
  return fillIn(before > place ? t.movedUp : t.movedDown, { place: before })
}
