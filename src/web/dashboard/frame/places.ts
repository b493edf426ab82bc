// Every page of the navigation and of the command palette.

import { type Language, languages, type Row } from '../app/language.ts'
import type { Scope } from '../app/scope.ts'
import type { IconName } from '../ui/icon-paths.ts'

export interface Place {
  path: string
  icon: IconName
  label: Row
  group: Group
  /** Members without this do not see the page. */
  needs?: Scope | 'owner'
}

export const labelOf = ({ label }: Place, language: Language): string => label[languages.indexOf(language)]!

type Group = 'top' | 'sales' | 'catalog' | 'marketing' | 'recommendations' | 'developers' | 'settings'

export const groups: Record<Exclude<Group, 'top'>, Row> = {
  sales: ['Sales', 'Продажи', 'Savdo'],
  catalog: ['Catalog', 'Каталог', 'Katalog'],
  marketing: ['Marketing', 'Маркетинг', 'Marketing'],
  recommendations: ['Recommendations', 'Рекомендации', 'Tavsiyalar'],
  developers: ['Developers', 'Разработчикам', 'Dasturchilar'],
  settings: ['Settings', 'Настройки', 'Sozlamalar'],
}

// oxfmt-ignore
export const places: readonly Place[] = [
  { path: '/', icon: 'home', group: 'top', label: ['Home', 'Главная', 'Bosh sahifa'] },
  { path: '/orders', icon: 'orders', group: 'sales', needs: 'orders:read', label: ['Orders', 'Заказы', 'Buyurtmalar'] },
  { path: '/clients', icon: 'clients', group: 'sales', needs: 'admin:read', label: ['Clients', 'Клиенты', 'Mijozlar'] },
  { path: '/carts', icon: 'carts', group: 'sales', needs: 'admin:read', label: ['Carts', 'Корзины', 'Savatlar'] },
  { path: '/limits', icon: 'moderation', group: 'sales', needs: 'admin:read', label: ['Limits', 'Лимиты', 'Cheklovlar'] },
  { path: '/products', icon: 'products', group: 'catalog', needs: 'catalog:read', label: ['Products', 'Товары', 'Mahsulotlar'] },
  { path: '/offers', icon: 'offers', group: 'catalog', needs: 'catalog:read', label: ['Offers and stock', 'Предложения', 'Takliflar va qoldiq'] },
  { path: '/moderation', icon: 'moderation', group: 'catalog', needs: 'catalog:write', label: ['Moderation', 'Модерация', 'Moderatsiya'] },
  { path: '/categories', icon: 'tree', group: 'catalog', needs: 'catalog:read', label: ['Categories', 'Категории', 'Turkumlar'] },
  { path: '/search', icon: 'search', group: 'catalog', needs: 'catalog:read', label: ['Search preview', 'Проверка поиска', 'Qidiruvni tekshirish'] },
  { path: '/search-words', icon: 'templates', group: 'catalog', needs: 'admin:read', label: ['Search words', 'Слова поиска', 'Qidiruv so‘zlari'] },
  { path: '/rates', icon: 'card', group: 'catalog', needs: 'admin:read', label: ['Exchange rates', 'Курсы валют', 'Valyuta kurslari'] },
  { path: '/import', icon: 'upload', group: 'catalog', needs: 'catalog:read', label: ['Import and export', 'Импорт и экспорт', 'Import va eksport'] },
  { path: '/promotions', icon: 'promotions', group: 'marketing', needs: 'marketing:read', label: ['Promotions', 'Акции', 'Aksiyalar'] },
  { path: '/campaigns', icon: 'campaigns', group: 'marketing', needs: 'marketing:read', label: ['Campaigns', 'Рассылки', 'Kampaniyalar'] },
  { path: '/templates', icon: 'templates', group: 'marketing', needs: 'marketing:read', label: ['Templates', 'Шаблоны', 'Shablonlar'] },
  { path: '/notifications', icon: 'mail', group: 'marketing', needs: 'marketing:read', label: ['Notifications', 'Уведомления', 'Xabarnomalar'] },
  { path: '/models', icon: 'models', group: 'recommendations', needs: 'admin:read', label: ['Models', 'Модели', 'Modellar'] },
  { path: '/experiments', icon: 'experiments', group: 'recommendations', needs: 'admin:read', label: ['Experiments', 'Эксперименты', 'Tajribalar'] },
  { path: '/playground', icon: 'playground', group: 'recommendations', needs: 'admin:read', label: ['Playground', 'Песочница', 'Sinov maydoni'] },
  { path: '/applications', icon: 'developers', group: 'developers', needs: 'admin:write', label: ['Applications and keys', 'Приложения и ключи', 'Ilovalar va kalitlar'] },
  { path: '/requests', icon: 'requests', group: 'developers', needs: 'admin:read', label: ['Request log', 'Журнал запросов', 'So‘rovlar jurnali'] },
  { path: '/usage', icon: 'health', group: 'developers', needs: 'admin:read', label: ['Usage and rate limits', 'Нагрузка и лимиты', 'Yuklama va cheklovlar'] },
  { path: '/console', icon: 'playground', group: 'developers', needs: 'admin:write', label: ['API console', 'Консоль API', 'API konsoli'] },
  { path: '/webhooks', icon: 'webhooks', group: 'developers', needs: 'admin:write', label: ['Webhooks', 'Вебхуки', 'Vebhuklar'] },
  { path: '/events', icon: 'events', group: 'developers', needs: 'admin:write', label: ['Live events', 'События', 'Hodisalar'] },
  { path: '/clock', icon: 'clock', group: 'developers', needs: 'admin:write', label: ['Test clock', 'Тестовые часы', 'Sinov soati'] },
  { path: '/account', icon: 'key', group: 'settings', label: ['Your account', 'Ваш аккаунт', 'Hisobingiz'] },
  { path: '/members', icon: 'members', group: 'settings', needs: 'admin:read', label: ['Members', 'Участники', 'A’zolar'] },
  { path: '/shop', icon: 'promotions', group: 'settings', needs: 'admin:write', label: ['Shop identity', 'Оформление', 'Do‘kon ko‘rinishi'] },
  { path: '/languages', icon: 'globe', group: 'settings', needs: 'admin:write', label: ['Languages', 'Языки', 'Tillar'] },
  { path: '/health', icon: 'health', group: 'settings', needs: 'admin:read', label: ['Health', 'Состояние', 'Holat'] },
  { path: '/jobs', icon: 'jobs', group: 'settings', needs: 'admin:read', label: ['Jobs', 'Задания', 'Vazifalar'] },
  { path: '/audit', icon: 'audit', group: 'settings', needs: 'admin:read', label: ['Audit log', 'Журнал действий', 'Audit jurnali'] },
]

/** The place that a path belongs to: its own page, or one of a record below it. */
export const placeOf = (path: string): Place | undefined =>
  places.find((it) => path === it.path || (it.path !== '/' && path.startsWith(`${it.path}/`)))

/** Forms below a place that members who only read must not fill in vain. */
const forms: readonly { path: RegExp; needs: Scope }[] = [
  { path: /^\/campaigns\/(?:new|[^/]+\/edit)$/, needs: 'marketing:write' },
]

/** What a member needs to see a page. */
export const needsOf = (path: string): Place['needs'] =>
  forms.find((it) => it.path.test(path))?.needs ?? placeOf(path)?.needs
