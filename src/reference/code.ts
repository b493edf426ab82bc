// Code on the pages: cards with a title, and highlighting. Highlighting marks text and comments, and never changes it.

import { type Html, html, joined, verbatim } from '../http/html.ts'

/** Code with a title. It scrolls, so it must be reachable by keyboard. */
export const card = (title: string, code: Html | string, status = ''): Html =>
  html`<figure class="card">
    <figcaption>${title} ${status && html`<span class="status">${status}</span>`}</figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure>`

/** The shell variable of the key; the page replaces it by the reader's key. */
const keyVariable = /(\$BOZOR_KEY)/

/** Highlighted JSON. One-letter elements instead of classes: classes would double the size of the page. */
export function jsonCode(value: unknown): Html {
  const text = JSON.stringify(value, null, 2)
  return marked(text, /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g, (found) => {
    const [, string = '', colon, literal] = found
    if (literal !== undefined) return verbatim`<u>${literal}</u>`
    return colon === undefined ? verbatim`<i>${string}</i>` : verbatim`<b>${string}</b>${colon}`
  })
}

const words: Record<string, RegExp> = {
  ts: /(\/\/[^\n]*)|('(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\b(import|from|const|let|await|async|for|of|if|else|new|try|catch|return|throw|export|function|while|instanceof|type)\b/g,
  python:
    /(#[^\n]*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\b(import|from|as|for|in|if|else|def|return|while|with|print|True|False|None|not)\b/g,
  sh: /((?:^|(?<=\n))#[^\n]*)|('[^']*'|"[^"]*")|(?:^|(?<=\n))(curl|export|npm|npx)\b/g,
}

/** Code in one of the languages of the pages; the key in it can be replaced by the reader's own. */
export function highlighted(code: string, language: string): Html | string {
  if (language === 'json') return parsedJson(code)
  const form = words[language]
  if (!form) return code
  return marked(code, form, ([all, comment, string]) =>
    comment === undefined
      ? string === undefined
        ? verbatim`<b>${all}</b>`
        : verbatim`<i>${withKey(all)}</i>`
      : verbatim`<s>${all}</s>`,
  )
}

const withKey = (text: string): Html =>
  joined(
    text.split(keyVariable).map((it) => (it === '$BOZOR_KEY' ? html`<span class="key">${it}</span>` : it)),
    '',
  )

/** JSON that is an excerpt stays as it is written. */
function parsedJson(code: string): Html | string {
  try {
    return jsonCode(JSON.parse(code))
  } catch {
    return code
  }
}

function marked(text: string, form: RegExp, mark: (found: RegExpExecArray) => Html): Html {
  const parts: (Html | string)[] = []
  let done = 0
  for (const found of text.matchAll(form)) {
    parts.push(text.slice(done, found.index), mark(found))
    done = found.index + found[0].length
  }
  return verbatim`${[...parts, text.slice(done)]}`
}
