/**
 * What the page can do beyond being read: filter, copy, follow the reader, and put a key into the lines.
 * It writes text only, never HTML, so nothing that is typed can become part of the page.
 */
export const script = `
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)]
  const side = document.querySelector('.side')
  document.documentElement.classList.add('js')

  const filter = document.getElementById('filter')
  const hint = document.getElementById('filter-hint')
  const links = all('li a', side)
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean)
    let shown = 0
    for (const link of links) {
      const text = (link.textContent + ' ' + (link.dataset.find ?? '')).toLowerCase()
      const fits = words.every((it) => text.includes(it))
      link.parentElement.hidden = !fits
      if (fits) shown++
    }
    for (const group of all('[data-group]', side)) {
      group.hidden = !all('li', group).some((it) => !it.hidden)
      if (words.length && 'open' in group) group.open = true
    }
    hint.textContent = words.length ? shown + ' found' : ''
  })
  addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, textarea')
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && filter.offsetParent) {
      event.preventDefault()
      filter.focus()
    }
    if (event.key === 'Escape' && typing === filter) {
      filter.value = ''
      filter.dispatchEvent(new Event('input'))
    }
  })

  const byId = new Map(all('a', side).map((link) => [link.hash.slice(1), link]))
  let current
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = byId.get(target.id)
        if (!isIntersecting || !link || link === current) continue
        current?.removeAttribute('aria-current')
        link.setAttribute('aria-current', 'true')
        current = link
        const box = link.getBoundingClientRect()
        if (box.top < 120 || box.bottom > innerHeight - 40) side.scrollTop += box.top - innerHeight / 3
      }
    },
    { rootMargin: '-15% 0px -75% 0px' },
  )
  for (const section of all('main section[id]')) seen.observe(section)

  const menu = document.querySelector('.bar details')
  menu.addEventListener('click', (event) => {
    if (event.target.closest('a')) menu.open = false
  })

  for (const pre of all('figure.card pre')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
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

  const field = document.getElementById('key')
  const state = document.getElementById('key-state')
  const first = state.textContent
  const places = all('.key').map((place) => [place, place.textContent])
  const storage = (act) => {
    try {
      return act(sessionStorage)
    } catch {
      return null
    }
  }
  const take = () => {
    const key = field.value.trim()
    const good = /^ak_test_[0-9A-Za-z]{20,50}$/.test(key)
    for (const [place, otherwise] of places) place.textContent = good ? key : otherwise
    storage((it) => (good ? it.setItem('bozor-key', key) : it.removeItem('bozor-key')))
    field.setAttribute('aria-invalid', String(key !== '' && !good))
    state.textContent = good
      ? 'Every line below uses it. It stays in this tab.'
      : key.startsWith('ak_live_')
        ? 'That is a live key. It has no place on a page: use a test key.'
        : key === '' ? first : 'A test key begins with ak_test_.'
    if (key.startsWith('ak_live_')) field.value = ''
  }
  field.form.addEventListener('submit', (event) => event.preventDefault())
  field.addEventListener('input', take)
  field.value = storage((it) => it.getItem('bozor-key')) ?? ''
  if (field.value) take()
})()
`
