/**
 * Searches, switches the language of examples, copies code, puts the reader's key into examples, and sends requests. It
 * writes text and never HTML, so nothing that is typed becomes markup.
 */
export const script = `
const all = (selector, within = document) => [...within.querySelectorAll(selector)]
const make = (name, text = '', attributes = {}) => {
  const element = document.createElement(name)
  element.textContent = text
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}
const stored = (storage, act) => {
  try {
    return act(globalThis[storage])
  } catch {
    return null
  }
}
document.documentElement.classList.add('js')

// Search: the index is loaded with the first letter.
{
  const field = document.getElementById('search')
  const list = document.getElementById('found')
  const count = document.getElementById('found-count')
  let entries
  let at = -1
  const plain = (text) => text.toLowerCase()
  const score = (entry, words) => {
    const title = plain(entry.t)
    const rest = plain(entry.w + ' ' + entry.k)
    let total = 0
    for (const word of words) {
      if (title === word) total += 12
      else if (title.startsWith(word)) total += 8
      else if (title.includes(word)) total += 5
      else if (rest.includes(word)) total += 2
      else return 0
    }
    return total - title.length / 200
  }
  const close = () => {
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
    at = -1
  }
  const mark = (next) => {
    const items = all('li', list)
    if (items.length === 0) return
    at = (next + items.length) % items.length
    items.forEach((it, index) => it.setAttribute('aria-selected', String(index === at)))
    field.setAttribute('aria-activedescendant', items[at].id)
    items[at].scrollIntoView({ block: 'nearest' })
  }
  field.addEventListener('input', async () => {
    const words = plain(field.value).split(/\\s+/).filter(Boolean)
    if (words.length === 0) return close()
    entries ??= fetch('/docs/search.json').then((reply) => reply.json())
    const found = (await entries)
      .map((entry) => [score(entry, words), entry])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, 12)
    list.replaceChildren(
      ...found.map(([, entry], index) => {
        const item = make('li', '', { role: 'option', id: 'found-' + index, 'aria-selected': 'false' })
        const link = make('a', entry.t, { href: entry.a, tabindex: '-1' })
        link.append(make('span', entry.k))
        item.append(link)
        return item
      }),
    )
    if (found.length === 0) list.append(make('li', 'Nothing found', { role: 'option', id: 'found-0', 'aria-disabled': 'true' }))
    count.textContent = found.length + ' found'
    list.hidden = false
    field.setAttribute('aria-expanded', 'true')
    mark(0)
  })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') mark(at + 1)
    else if (event.key === 'ArrowUp') mark(at - 1)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter') all('li', list)[at]?.querySelector('a')?.click()
    else return
    if (event.key !== 'Enter') event.preventDefault()
  })
  field.addEventListener('blur', () => setTimeout(close, 200))
  list.addEventListener('click', () => {
    field.value = ''
    close()
  })
  addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, textarea')
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      field.focus()
    }
  })
}

// The menu of small screens.
{
  const button = document.querySelector('.menu-button')
  const side = document.getElementById('menu')
  button.addEventListener('click', () => {
    const open = side.classList.toggle('open')
    button.setAttribute('aria-expanded', String(open))
  })
  side.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
  scrollTo(0, location.hash ? scrollY : 0)
}

// Languages of examples: one choice for all of them.
{
  const names = { sh: 'curl', ts: 'TypeScript', python: 'Python' }
  const groups = all('.tabs')
  const choose = (language) => {
    for (const group of groups) {
      for (const panel of all('[data-language]', group)) panel.hidden = panel.dataset.language !== language
      for (const tab of all('[role=tab]', group))
        tab.setAttribute('aria-selected', String(tab.dataset.for === language))
    }
    stored('localStorage', (it) => it.setItem('bozor-language', language))
  }
  groups.forEach((group, number) => {
    const list = make('div', '', { role: 'tablist', 'aria-label': 'Language of the example' })
    for (const panel of all('[data-language]', group)) {
      const { language } = panel.dataset
      const id = 'tab-' + number + '-' + language
      panel.id = id + '-panel'
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', id)
      const tab = make('button', names[language], { role: 'tab', type: 'button', id, 'aria-controls': panel.id, 'data-for': language })
      tab.addEventListener('click', () => choose(language))
      list.append(tab)
    }
    group.prepend(list)
  })
  choose(stored('localStorage', (it) => it.getItem('bozor-language')) ?? 'sh')
}

// Highlighting: comments, texts, words of the language; the variable of the key gets an element of its own.
{
  const forms = {
    json: [/("(?:[^"\\\\]|\\\\.)*")(?=\\s*:)|("(?:[^"\\\\]|\\\\.)*")|(-?\\d[\\d.eE+-]*|true|false|null)/g, 'biu'],
    ts: [/(\\/\\/[^\\n]*)|('(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)|\\b(import|from|const|let|await|async|for|of|if|else|new|try|catch|return|throw|export|function|while|instanceof|type)\\b/g, 'sib'],
    python: [/(#[^\\n]*)|("(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*')|\\b(import|from|as|for|in|if|else|def|return|while|with|print|True|False|None|not)\\b/g, 'sib'],
    sh: [/(^#[^\\n]*)|('[^']*'|"(?:[^"\\\\]|\\\\[^])*")|^(curl|export|npm|npx)\\b/gm, 'sib'],
  }
  const key = /(\\$BOZOR_KEY|process\\.env\\.BOZOR_KEY|os\\.environ\\['BOZOR_KEY'\\])/
  const parts = (text) =>
    text.split(key).map((it, at) => (at % 2 === 0 ? it : make('span', it, { class: 'key', 'data-quote': it[0] === '$' ? '' : "'" })))
  for (const pre of all('pre[data-code]')) {
    const [form, tags] = forms[pre.dataset.code] ?? []
    if (!form) continue
    const code = pre.firstElementChild
    const text = code.textContent
    const made = []
    let done = 0
    for (const found of text.matchAll(form)) {
      const element = make(tags[found.slice(1).findIndex((it) => it !== undefined)])
      element.append(...parts(found[0]))
      made.push(...parts(text.slice(done, found.index)), element)
      done = found.index + found[0].length
    }
    code.replaceChildren(...made, ...parts(text.slice(done)))
  }
}

for (const pre of all('figure.card pre')) {
  const button = make('button', 'Copy', { type: 'button' })
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(pre.textContent)
      button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(pre)
      button.textContent = 'Selected'
    }
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
  pre.previousElementSibling.append(button)
}

// The reader's test key, kept in this tab.
const keyField = document.getElementById('key')
const keyForm = /^ak_test_[0-9A-Za-z]{20,50}$/
{
  const state = document.getElementById('key-state')
  const places = all('.key').map((place) => [place, place.textContent])
  const take = () => {
    const key = keyField.value.trim()
    const good = keyForm.test(key)
    for (const [place, otherwise] of places) {
      const { quote } = place.dataset
      place.textContent = good ? quote + key + quote : otherwise
    }
    stored('sessionStorage', (it) => (good ? it.setItem('bozor-key', key) : it.removeItem('bozor-key')))
    keyField.setAttribute('aria-invalid', String(key !== '' && !good))
    state.textContent = good
      ? 'Examples use it. It stays in this tab.'
      : key.startsWith('ak_live_')
        ? 'That is a live key. Use a test key here.'
        : 'A test key begins with ak_test_.'
    state.hidden = key === '' || (good && document.activeElement !== keyField)
    if (key.startsWith('ak_live_')) keyField.value = ''
  }
  keyField.form.addEventListener('submit', (event) => event.preventDefault())
  keyField.addEventListener('input', take)
  keyField.addEventListener('blur', () => (state.hidden = true))
  keyField.value = stored('sessionStorage', (it) => it.getItem('bozor-key')) ?? ''
  if (keyField.value) take()
  // Other tabs of this browser share the key while they are open; nothing is written to the disk.
  const tabs = new BroadcastChannel('bozor-key')
  tabs.addEventListener('message', ({ data }) => {
    const own = keyField.value.trim()
    if (data === '' && keyForm.test(own)) tabs.postMessage(own)
    if (keyForm.test(data) && own === '') {
      keyField.value = data
      keyField.dispatchEvent(new Event('input'))
    }
  })
  if (!keyField.value) tabs.postMessage('')
}

// A signed-in member makes a key with one click: the server keeps hashes and cannot show an old key again.
{
  const button = document.getElementById('make-key')
  const isSignedIn = () => stored('localStorage', (it) => it.getItem('bozor.signed-in')) !== null
  const update = () => (button.hidden = !isSignedIn() || keyField.value !== '')
  keyField.addEventListener('input', update)
  addEventListener('focus', update)
  addEventListener('storage', update)
  update()
  button.addEventListener('click', async () => {
    const headers = { 'X-Environment': 'test', 'Content-Type': 'application/json' }
    button.disabled = true
    const me = await fetch('/v1/admin/me', { headers })
    const { scopes } = me.ok ? (await me.json()).data : {}
    const body = JSON.stringify({ name: 'Documentation', type: 'server', scopes })
    const made = me.ok && (await fetch('/v1/admin/applications', { method: 'POST', headers, body }))
    button.disabled = false
    if (!made || !made.ok) return (button.textContent = me.ok ? 'Your role may not make keys' : 'Sign in to the dashboard')
    keyField.value = (await made.json()).data.api_key
    keyField.dispatchEvent(new Event('input'))
  })
}

// Try it: sends the form to this server, with the key or, without one, with the session of a signed-in member.
for (const form of all('.try form')) {
  const output = form.querySelector('output')
  const show = (status, text, isRefused) => {
    const pre = make('pre', text, { tabindex: '0' })
    output.replaceChildren(make('p', status, isRefused ? { class: 'refused' } : {}), pre)
    output.hidden = false
  }
  const credentials = () => {
    const key = keyField.value.trim()
    return keyForm.test(key) ? { Authorization: 'Bearer ' + key } : { 'X-Environment': 'test' }
  }
  // The recorded ids are of another shop: the reader's own come from the list, if it has any.
  const fillOwnIds = async () => {
    for (const field of all('[data-list]', form)) {
      if (field.dataset.own === field.value) continue
      const reply = await fetch(field.dataset.list + '?per_page=1', { headers: credentials() }).catch(() => null)
      if (!reply?.ok) continue
      const lists = Object.values((await reply.json()).data ?? {}).filter(Array.isArray)
      const own = lists[0]?.[0]
      field.value = field.dataset.own = String(own?.[field.name] ?? own?.id ?? '')
      field.placeholder = own ? '' : 'Your shop has none yet'
    }
  }
  // Without a key the panel asks for it: the field of the header is not shown on small screens.
  form.parentElement.addEventListener('toggle', () => {
    if (form.parentElement.open) void fillOwnIds()
    if (keyForm.test(keyField.value.trim()) || form.querySelector('.own-key')) return
    const own = make('input', '', { class: 'own-key', id: form.dataset.path + form.dataset.method + '-key', type: 'text', placeholder: 'ak_test_…', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: '60' })
    const label = make('label', 'Your test key', { for: own.id })
    own.addEventListener('input', () => {
      keyField.value = own.value
      keyField.dispatchEvent(new Event('input'))
      if (keyForm.test(own.value)) void fillOwnIds()
      if (own.value.startsWith('ak_live_')) own.value = ''
    })
    form.prepend(label, own)
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { method, path } = form.dataset
    const query = new URLSearchParams()
    let address = path
    for (const field of all('[data-in]', form)) {
      if (field.dataset.in === 'path') address = address.replace('{' + field.name + '}', encodeURIComponent(field.value))
      else if (field.value !== '') query.set(field.name, field.value)
    }
    const body = form.elements.namedItem('body')?.value
    const button = form.querySelector('button')
    const headers = {
      'Accept-Language': 'en',
      ...credentials(),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(form.elements.namedItem('dry-run')?.checked && { Prefer: 'dry-run' }),
    }
    button.disabled = true
    const began = performance.now()
    try {
      const target = address + (query.size > 0 ? '?' + query : '')
      const reply = await fetch(target, { method, headers, ...(body !== undefined && { body }) })
      const text = await reply.text()
      let shown = text
      try {
        shown = JSON.stringify(JSON.parse(text), null, 2)
      } catch {}
      show(reply.status + ' · ' + Math.round(performance.now() - began) + ' ms', shown.slice(0, 20000), !reply.ok)
    } catch (error) {
      show('No reply', String(error), true)
    }
    button.disabled = false
  })
}

// A link to an event opens it.
const openTarget = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target && 'open' in target) target.open = true
}
addEventListener('hashchange', openTarget)
openTarget()
`
