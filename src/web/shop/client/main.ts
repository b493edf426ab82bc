// What the pages do beyond links and forms: suggestions, quick additions, filters without reloading, reports. Every page
// works without this script. One file without imports: the server sends it with its types removed.

const root = document.documentElement

const notes = () => document.querySelector<HTMLElement>('#notes')!
const noteMs = 4_000

function say(text: string): void {
  const note = document.createElement('p')
  note.className = 'note'
  note.textContent = text
  notes().replaceChildren(note)
  setTimeout(() => note.remove(), noteMs)
}

function showCount(count: number): void {
  for (const badge of document.querySelectorAll<HTMLElement>('[data-cart-count]')) {
    badge.textContent = String(count)
    badge.hidden = count === 0
  }
}

// Tabs: a change of the cart in one is shown in the others.

const tabs = new BroadcastChannel('shop-cart')

/** Tells the other tabs how many units the cart has now. */
function shareCount(count: number): void {
  showCount(count)
  tabs.postMessage(count)
}

tabs.addEventListener('message', (event: MessageEvent<number>) => {
  showCount(event.data)
  if (/\/(cart|mini)$/.test(location.pathname)) void swap(location.href)
  // At checkout what is typed stays, and lines and total are asked for again.
  const review = document.querySelector<HTMLButtonElement>('[data-review-button]')
  if (!review?.form) return
  void sendSwap(review.form, review).then(() => say(notes().dataset['elsewhere'] ?? ''))
})

// Connection: nothing is lost without it, and the page says so.

const sayOffline = () => say(notes().dataset['offline'] ?? '')
addEventListener('offline', sayOffline)
addEventListener('online', () => {
  say(notes().dataset['online'] ?? '')
  if (document.querySelector('[data-wait]')) void swap(location.href)
})

// Theme

const yearSeconds = 365 * 86_400

/** The server reads the cookie, so that the next page has the chosen theme from its first frame. */
function switchTheme(): void {
  const isDark = root.dataset['theme']
    ? root.dataset['theme'] === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches
  const theme = isDark ? 'light' : 'dark'
  root.dataset['theme'] = theme
  document.cookie = `shop_theme=${theme}; Path=/shop; Max-Age=${yearSeconds}; SameSite=Lax`
}

// Reports of behaviour. `sendBeacon` survives the change of the page.

function report(
  kind: 'view' | 'click',
  { offer, list, search }: { offer: string; list?: string | undefined; search?: string | undefined },
): void {
  const form = new URLSearchParams({ kind, offer, ...(list && { list }), ...(search && { search }) })
  navigator.sendBeacon(`${location.pathname.split('/').slice(0, 3).join('/')}/report`, form)
}

function reportView(): void {
  const offer = document.querySelector<HTMLElement>('[data-view]')?.dataset['view']
  if (offer) report('view', { offer })
}

// Forms

/** Sends a form and shows the result in a note; the page stays as it is. */
async function sendQuietly(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const button = submitter as HTMLButtonElement | null
  const action = button?.getAttribute('formaction') ?? form.action
  const reply = await fetch(action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(new FormData(form, button) as unknown as Record<string, string>),
  }).catch(() => undefined)
  if (!reply) return sayOffline()
  try {
    const body = (await reply.json()) as { note?: string; problem?: string; count?: number; to?: string }
    if (body.to) return location.assign(body.to)
    if (body.count !== undefined) shareCount(body.count)
    if (reply.ok && button?.classList.contains('heart')) button.setAttribute('aria-pressed', 'true')
    say(body.note ?? body.problem ?? '')
  } catch {
    // Not a reply of the shop: the browser sends the form and shows what it gets.
    form.removeAttribute('data-quiet')
    form.requestSubmit(button)
  }
}

/** Forms that change the cart. */
const isOfCart = /\/(cart|mini|shared)\/[\w/-]+$|\/checkout$/

/** The focus stays where it was, unless the reply has a problem to show. */
function showProblem(focused: string | undefined): void {
  const alert = document.querySelector<HTMLElement>('main [role=alert]')
  const field = document.querySelector<HTMLElement>('main [aria-invalid=true]')
  if (alert) {
    alert.tabIndex = -1
    alert.focus()
  } else if (field) field.focus()
  else if (focused) document.getElementById(focused)?.focus()
}

/** As a page that was loaded. */
function showFromTop(main: HTMLElement): void {
  scrollTo(0, 0)
  main.focus({ preventScroll: true })
}

/** Loads a page and shows its content in place of the current one. */
async function swap(url: string, init: RequestInit = {}): Promise<void> {
  const focused = document.activeElement?.id
  const main = document.querySelector<HTMLElement>('main')!
  const opened = [...main.querySelectorAll('details[open][id]')].map((it) => it.id)
  main.setAttribute('aria-busy', 'true')
  try {
    const reply = await fetch(url, { ...init, headers: { accept: 'text/html', ...init.headers } })
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
    const content = page.querySelector('main')
    if (!content) return location.assign(url)
    document.title = page.title
    main.replaceChildren(...content.childNodes)
    notes().replaceChildren(...(page.querySelector('#notes')?.children ?? []))
    const count = Number(page.querySelector('[data-cart-count]')?.textContent ?? 0)
    if (init.method === 'POST' && isOfCart.test(url)) shareCount(count)
    else showCount(count)
    const isSamePage = init.method === 'POST' && !reply.redirected
    const before = location.pathname
    if (!isSamePage && reply.url !== location.href) history.pushState(null, '', reply.url)
    if (location.pathname === before) {
      for (const id of opened) document.getElementById(id)?.setAttribute('open', '')
      showProblem(focused)
    } else showFromTop(main)
    prepare()
  } catch {
    sayOffline()
  } finally {
    main.removeAttribute('aria-busy')
  }
}

async function sendSwap(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const isPost = form.getAttribute('method') === 'post'
  const fields = new URLSearchParams()
  // An address without empty filters is shorter; a field that was emptied stays empty.
  for (const [name, value] of new FormData(form, submitter))
    if (isPost || value !== '') fields.append(name, String(value))
  const action = submitter?.getAttribute('formaction') ?? form.action
  if (!isPost) return swap(`${action.split('?')[0]}?${fields}`)
  // A second click while the first is under way.
  if (form.dataset['sending'] !== undefined) return
  form.dataset['sending'] = ''
  await swap(action, { method: 'POST', body: fields })
  delete form.dataset['sending']
}

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (form.dataset['quiet'] !== undefined) {
    event.preventDefault()
    void sendQuietly(form, event.submitter)
  } else if (form.dataset['swap'] !== undefined) {
    event.preventDefault()
    void sendSwap(form, event.submitter).then(() => {
      if (form.closest('[data-filters]') && event.submitter) showFound()
    })
  }
})

/** The button of the filters leads to what was found; values that are ticked leave them open. */
function showFound(): void {
  const filters = document.querySelector<HTMLDetailsElement>('[data-filters]')
  if (filters) filters.open = false
  document.querySelector('.found-count')?.scrollIntoView({ block: 'center' })
}

// A problem of a field goes away when the field is changed.
document.addEventListener('input', (event) => {
  const field = event.target as HTMLInputElement
  if (field.ariaInvalid !== 'true') return
  field.removeAttribute('aria-invalid')
  field.closest('.field')?.querySelector('.field-problem')?.remove()
})

document.addEventListener('change', (event) => {
  const field = event.target as HTMLInputElement
  const form = field.form
  if (form?.dataset['swap'] === 'change' && field.name !== '') form.requestSubmit()
  // A choice that changes the total asks for the new one.
  const review = form?.querySelector<HTMLElement>('[data-review-button]')
  if (form && review && field.dataset['review'] !== undefined) void sendSwap(form, review)
})

document.addEventListener('click', (event) => {
  const target = event.target as Element
  if (target.closest('[data-theme-switch]')) return switchTheme()
  const copy = target.closest<HTMLElement>('[data-copy]')
  if (copy) {
    void navigator.clipboard.writeText(copy.dataset['copy']!).then(() => say(copy.dataset['done'] ?? ''))
    return
  }
  const link = target.closest<HTMLAnchorElement>('a[href]')
  const card = target.closest<HTMLElement>('[data-offer]')
  const { offer, list, search } = card?.dataset ?? {}
  if (link && offer) report('click', { offer, list, search })
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0
  if (link?.dataset['swapLink'] !== undefined && isPlain) {
    event.preventDefault()
    void swap(link.href).then(reportView)
  }
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]'))
    if (!menu.contains(target)) menu.open = false
})

addEventListener('popstate', () => location.reload())

// Suggestions while typing

const pauseMs = 120

function suggestions(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[name=q]')!
  const list = document.createElement('div')
  list.className = 'suggestions'
  list.id = 'suggestions'
  list.setAttribute('role', 'listbox')
  list.hidden = true
  form.append(list)
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-expanded', 'false')
  input.setAttribute('aria-autocomplete', 'list')
  let latest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('[role=option]')]
  const show = (isShown: boolean) => {
    list.hidden = !isShown
    input.setAttribute('aria-expanded', String(isShown))
    if (!isShown) input.removeAttribute('aria-activedescendant')
  }
  const load = async () => {
    const asked = ++latest
    const reply = await fetch(`${form.dataset['suggest']}?${new URLSearchParams({ q: input.value })}`)
    if (asked !== latest || !reply.ok) return
    list.innerHTML = await reply.text()
    show(list.childElementCount > 0 && document.activeElement === input)
  }
  const choose = (step: number) => {
    const all = options()
    const chosen = all.findIndex((it) => it.ariaSelected === 'true')
    // Up from the field leads to the last one.
    const next = all.at(chosen < 0 && step < 0 ? -1 : (chosen + step) % all.length)
    for (const it of all) it.ariaSelected = String(it === next)
    if (next) {
      input.setAttribute('aria-activedescendant', next.id)
      input.value = next.dataset['text'] ?? input.value
    }
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void load().catch(() => show(false)), pauseMs)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show(false)
    if (list.hidden || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp' && event.key !== 'Enter')) return
    const chosen = options().find((it) => it.ariaSelected === 'true')
    if (event.key !== 'Enter') {
      event.preventDefault()
      choose(event.key === 'ArrowDown' ? 1 : -1)
    } else if (chosen) {
      event.preventDefault()
      location.assign(chosen.href)
    }
  })
  input.addEventListener('blur', () => setTimeout(() => show(false), 150))
}

// Pages that wait for a bank ask again until the answer is there.

const askAgainMs = 2_000

/** What a new content needs. */
function prepare(): void {
  const wait = document.querySelector<HTMLElement>('[data-wait]')
  if (wait) setTimeout(() => void swap(location.href), askAgainMs)
  if (matchMedia('(min-width: 1024px)').matches)
    for (const filters of document.querySelectorAll<HTMLDetailsElement>('[data-filters]')) filters.open = true
  const shown = notes().firstElementChild
  if (shown) setTimeout(() => shown.remove(), noteMs * 2)
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-suggest]')) suggestions(form)
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape')
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')) {
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
})
prepare()
reportView()

export {}
