import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../base/refusal.ts'
import { tokensOf } from './html.ts'
import { renderTemplate } from './render.ts'
import { textViolations, type Text, variablesOf } from './template.ts'

const mail = (text: Partial<Text>): { ru: Text } => ({ ru: { subject: 'x', text: 'x', html: null, ...text } })
const shown = (text: Partial<Text>, variables = {}) =>
  renderTemplate(mail(text), { language: 'ru', variables })
const rulesOf = (text: Partial<Text>) => textViolations(mail(text), 'email').map((it) => it.rule)

const lines = [
  { name: { ru: 'Чайник', uz: 'Choynak' }, quantity: 2, price: 150_000_00, amount: 300_000_00 },
  { name: 'Kosa', quantity: 1, price: 2_000_050, amount: 2_000_050 },
]

test('renders values, lists and sections in the language of the reader', () => {
  const text =
    '{{client.name}}: {{#order.lines}}{{name}} × {{quantity}} = {{amount}} (№ {{order.id}}); {{/order.lines}}{{#order.carrier}}{{order.carrier}}!{{/order.carrier}}'
  const order = { id: '7', lines, carrier: 'Fargo' }
  const variables = { client: { name: 'Азиза' }, order }
  equal(
    shown({ text }, variables).text.replaceAll(/\s/g, ' '),
    'Азиза: Чайник × 2 = 300 000 сум (№ 7); Kosa × 1 = 20 001 сум (№ 7); Fargo!',
  )
  const uz = renderTemplate(
    { uz: { subject: null, text, html: null } },
    { language: 'ru', variables: { ...variables, order: { ...order, carrier: null, lines: [lines[0]!] } } },
  )
  equal(uz.text.replaceAll(/\s/g, ' '), 'Азиза: Choynak × 2 = 300 000 so‘m (№ 7); ')
  equal(uz.language, 'uz')
})

test('falls back from the language of the reader to Russian, English, Uzbek', () => {
  const one = (text: string): Text => ({ subject: null, text, html: null })
  const all = { ru: one('ru'), en: one('en'), uz: one('uz') }
  const inUz = (texts: object) => renderTemplate(texts, { language: 'uz', variables: {} }).text
  equal(inUz(all), 'uz')
  equal(inUz({ ru: all.ru, en: all.en }), 'ru')
  equal(inUz({ en: all.en }), 'en')
  equal(renderTemplate({ uz: all.uz }, { language: 'en', variables: {} }).text, 'uz')
})

test('a buyer’s name is text in an e-mail, never markup or a header', () => {
  const name = '<img src=x onerror=alert(1)>"\'&\r\nBcc: all@shop.uz'
  const it = shown(
    {
      subject: 'Здравствуйте, {{client.name}}',
      html: '<p title="{{client.name}}">{{client.name}}</p>',
    },
    { client: { name } },
  )
  equal(it.subject, 'Здравствуйте, <img src=x onerror=alert(1)>"\'& Bcc: all@shop.uz')
  const safe = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;\r\nBcc: all@shop.uz'
  equal(it.html, `<p title="${safe}">${safe}</p>`)
})

test('a text without the leading name begins with the next word', () => {
  const begun = (source: string, name: string | null) =>
    shown({ subject: source, text: source }, { client: { name } })
  for (const [source, without] of [
    ['{{client.name}}, ваш заказ в пути', 'Ваш заказ в пути'],
    ['{{client.name}} – ҳаммаси тайёр', 'Ҳаммаси тайёр'],
    ['{{client.name}}! «Навруз»', '«Навруз»'],
    ['Заказ, {{client.name}}', 'Заказ, '],
    ['{{#client.name}}{{client.name}}, {{/client.name}}iPhone', 'iPhone'],
  ] as const) {
    equal(begun(source, null).text, without)
    equal(begun(source, null).subject, without.trim())
    equal(
      begun(source, 'Азиза').text,
      source.replaceAll(/\{\{[#/].*?\}\}/g, '').replace('{{client.name}}', 'Азиза'),
    )
  }
})

test('renders a long list completely', () => {
  const lines = Array.from({ length: 200 }, () => ({ name: 'x' }))
  equal(
    shown({ text: '{{#order.lines}}{{name}}{{/order.lines}}' }, { order: { lines } }).text,
    'x'.repeat(200),
  )
})

test('a URL value is http or https, or empty', () => {
  const html = '<a href="{{cart.url}}">x</a>'
  const to = (url: string) => shown({ html }, { cart: { url } }).html
  equal(to('https://shop.uz/a?b=1&c="2"'), '<a href="https://shop.uz/a?b=1&amp;c=%222%22">x</a>')
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', '//shop.uz', 'cart'])
    equal(to(bad), '<a href="">x</a>')
})

test('refuses an unknown variable with the list of known ones', () => {
  const [fault] = textViolations(mail({ text: 'Hi {{client.nmae}}' }), 'email')
  equal(fault!.path, 'texts.ru.text')
  equal(fault!.rule, 'known_variable')
  const [unknown, ...known] = fault!.limit as string[]
  equal(unknown, 'client.nmae')
  ok(known.includes('client.name') && known.includes('custom.*'))
  deepEqual(rulesOf({ text: '{{name}}' }), ['known_variable'])
  deepEqual(rulesOf({ text: '{{cart.lines}}' }), ['known_variable'])
  deepEqual(rulesOf({ text: '{{#cart.lines}}{{name}}{{/cart.lines}} {{custom.code}}' }), [])
  deepEqual(rulesOf({ text: '{{constructor.name}} {{custom.a.b}}' }), ['known_variable', 'known_variable'])
})

test('refuses unclosed, crossed and invalid placeholders', () => {
  for (const text of [
    '{{client.name',
    '{{#cart.lines}}',
    '{{/cart.lines}}',
    '{{#cart.lines}}{{#client.name}}{{/cart.lines}}{{/client.name}}',
    '{{client name}}',
    '{{}}',
    '{{{client.name}}}',
    '{{#a}}{{#a}}{{#a}}{{#a}}{{/a}}{{/a}}{{/a}}{{/a}}',
  ])
    deepEqual(rulesOf({ text }), ['template_syntax'], text)
})

test('allows values only in text and in quoted attributes', () => {
  const good = [
    '<p>{{client.name}}</p>',
    '<p title="Hi {{client.name}}">x</p>',
    '<a href="{{cart.url}}">x</a><a href="https://shop.uz/?c={{order.id}}">x</a><a href="mailto:a@b.uz">y</a>',
    '{{#cart.lines}}<img src="{{image}}" alt="{{name}}">{{/cart.lines}}',
    '<style>@media print{p{color:red}}</style>',
  ]
  for (const html of good) deepEqual(rulesOf({ html }), [], html)
  const bad: [string, string][] = [
    ['<p title={{client.name}}>x</p>', 'placement'],
    ['<{{client.name}}>', 'placement'],
    ['<!-- {{client.name}} -->', 'placement'],
    ['<style>{{client.name}}</style>', 'placement'],
    ['<p style="color:{{client.name}}">x</p>', 'placement'],
    ['<p onclick="x()">x</p>', 'placement'],
    ['<p title="{{client.name}}', 'placement'],
    ['<a href="{{client.name}}">x</a>', 'url_variable'],
    ['<a href="javascript:alert(1)">x</a>', 'url_variable'],
    ['<a href="https://{{client.name}}/x">x</a>', 'url_variable'],
    ['<a href="https://shop.{{client.name}}/x">x</a>', 'url_variable'],
    ['<script>1</script>', 'forbidden_tag'],
    ['<svg><a xlink:href="x">x</a></svg>', 'forbidden_tag'],
    ['<meta http-equiv="refresh" content="0;url={{client.name}}">', 'forbidden_tag'],
    ['<button formaction="{{client.name}}">x</button>', 'forbidden_tag'],
    ['<a/href="{{client.name}}">x</a>', 'url_variable'],
    ['<a title="a"href="{{client.name}}">x</a>', 'url_variable'],
    ['<img srcset="{{client.name}} 2x">', 'placement'],
    ['<img/onerror="x()">', 'placement'],
    ['<div/style="color:{{client.name}}">x</div>', 'placement'],
    ['<a href=javascript:alert(1)>x</a>', 'placement'],
    ['<style>p{color:{{client.name}}', 'placement'],
    [`<${' '.repeat(90_000)}p onclick="x()">`, 'placement'],
    ['<p title="{{#client.name}}">{{/client.name}}" {{custom.code}}>x</p>', 'placement'],
    ['<p title="{{/client.name}}{{#client.name}}">x</p>', 'placement'],
    ['<a href="{{cart.url}}{{custom.code}}">x</a>', 'url_variable'],
    ['<a href="{{cart.url}}/{{custom.code}}">x</a>', 'url_variable'],
    ['<a href="{{#cart.url}}x{{/cart.url}}">x</a>', 'url_variable'],
    ['<a href="&#106;avascript:alert(1)">x</a>', 'url_variable'],
    ['<a href="java\nscript:alert(1)">x</a>', 'url_variable'],
    ['<!--> {{client.name}} -->', 'placement'],
    ['<!-- --!> {{client.name}} -->', 'placement'],
    ['<title>{{client.name}}</title>', 'placement'],
    ['<noscript><p title="</noscript>{{client.name}}">', 'forbidden_tag'],
    ['<plaintext>', 'forbidden_tag'],
    ['<p class="{{client.name}}">x</p>', 'placement'],
    ['<p "{{client.name}}">x</p>', 'placement'],
    ['<p title="x"{{client.name}}>x</p>', 'placement'],
    ['<a title=\'"\' onclick="{{client.name}}">x</a>', 'placement'],
    ['</p {{client.name}}>', 'placement'],
    ['a <b', 'placement'],
    ['{{#client.name}}<{{/client.name}}script>', 'placement'],
  ]
  for (const [html, rule] of bad) ok(rulesOf({ html }).includes(rule), html)
})

test('accepts conditional comments, style elements, capitals and unquoted numbers', () => {
  const html = `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1.dtd">
    <HTML xmlns:o="urn:schemas-microsoft-com:office:office"><head><title>Bozor</title>
    <STYLE type="text/css">a > b { color: red } /* </p> */</STYLE></head>
    <!--[if mso]><table><tr><td><![endif]--><body bgcolor=#ffffff>
    <!--[if !mso]><!--><div><!--<![endif]--><![if !vml]><br/><![endif]>
    <table width=600 border='0'><tr><td background="https://i.uz/a.png"><img src="{{offer.image}}" alt='{{offer.name}}' /></td></tr></table>
    <a href="{{shop.url}}/sale?c={{custom.code}}">{{#client.name}}<b>{{client.name}}</b>{{/client.name}} &lt; 5</a></body></HTML>`
  deepEqual(rulesOf({ html }), [])
})

test('parses any HTML in linear time', () => {
  const workOn = (html: string): number => {
    let work = 0
    const source = {
      length: html.length,
      charCodeAt: (at: number) => (work++, html.charCodeAt(at)),
      slice: (from?: number, to?: number) => {
        const part = html.slice(from, to)
        work += part.length
        return part
      },
    }
    for (const token of tokensOf(source)) ok(token.kind)
    return work
  }
  const pieces = [
    '<style>',
    '</style',
    '<!--',
    '--!',
    '<a href="',
    "<a href='x' ",
    '<p a ',
    '<',
    '<!',
    '</',
    '&#',
    ' ',
  ]
  for (const piece of [...pieces, '<b>x</b>', '<style></style>', '<!-- -->', '<a href="https://a.uz/">x</a>'])
    for (const before of ['', '<style>', '<!--', '<a href="', '<p '])
      ok(
        workOn(before + piece.repeat(2_000)) <= 2 * workOn(before + piece.repeat(1_000)) + 100,
        before + piece,
      )
})

test('parses endless spaces in a placeholder in linear time', () => {
  for (const source of [
    `{{${' '.repeat(20_000)}`,
    `{{#${' '.repeat(9_000)}x${' '.repeat(9_000)}`,
    '{{ '.repeat(6_000),
  ])
    deepEqual(rulesOf({ text: source }), ['template_syntax'])
})

test('refuses a list within a list, and reports the first of many violations', () => {
  deepEqual(rulesOf({ text: '{{#cart.lines}}{{#order.lines}}x{{/order.lines}}{{/cart.lines}}' }), [
    'known_variable',
  ])
  equal(rulesOf({ text: '{{a.b}}'.repeat(2_000) }).length, 20)
})

test('each channel has its own parts', () => {
  const rules = (text: Partial<Text>, channel: 'email' | 'sms' | 'push') =>
    textViolations(mail(text), channel).map((it) => `${it.path} ${it.rule}`)
  deepEqual(rules({ subject: null }, 'email'), ['texts.ru.subject required'])
  deepEqual(rules({ html: '<p>x</p>' }, 'sms'), ['texts.ru.subject unused', 'texts.ru.html unused'])
  deepEqual(rules({ subject: null }, 'push'), ['texts.ru.subject required'])
  deepEqual(rules({ subject: 'a\nb' }, 'email'), ['texts.ru.subject one_line'])
})

test('lists the variables of a template and refuses missing ones', () => {
  const texts = mail({
    subject: '{{order.id}}',
    text: '{{#order.lines}}{{name}}{{/order.lines}}{{custom.code}}',
    html: '<a href="{{unsubscribe.url}}">x</a>',
  })
  deepEqual(variablesOf(texts), ['custom.code', 'order.id', 'order.lines', 'unsubscribe.url'])
  throws(
    () => renderTemplate(texts, { language: 'ru', variables: { order: { id: '1' } } }),
    (error: Refusal) => {
      deepEqual(error.details['fields'], [
        { path: 'variables.custom.code', rule: 'required' },
        { path: 'variables.order.lines', rule: 'required' },
      ])
      return true
    },
  )
})
