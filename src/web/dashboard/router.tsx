// The paths of the dashboard. Every page but the frame is loaded when it is opened.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { Shell } from './frame/shell.tsx'
import { Missing } from './frame/missing.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: Missing })

const page = (path: string, load: () => Promise<{ Page: ComponentType }>) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load, 'Page'),
  })

const routes = [
  page('/', () => import('./home/home.tsx')),
  page('/orders', () => import('./orders/list.tsx')),
  page('/orders/$id', () => import('./orders/order.tsx')),
  page('/orders/$id/picking-list', () => import('./orders/picking-list.tsx')),
  page('/orders/$id/invoice', () => import('./orders/invoice.tsx')),
  page('/limits', () => import('./orders/limits.tsx')),
  page('/products', () => import('./catalog/products.tsx')),
  page('/products/$id', () => import('./catalog/product.tsx')),
  page('/offers', () => import('./catalog/offers.tsx')),
  page('/moderation', () => import('./catalog/moderation.tsx')),
  page('/categories', () => import('./catalog/categories.tsx')),
  page('/search', () => import('./catalog/search-preview.tsx')),
  page('/search-words', () => import('./catalog/search-words.tsx')),
  page('/rates', () => import('./catalog/exchange-rates.tsx')),
  page('/import', () => import('./catalog/import.tsx')),
  page('/applications', () => import('./developers/applications.tsx')),
  page('/applications/$id', () => import('./developers/application.tsx')),
  page('/requests', () => import('./developers/request-log.tsx')),
  page('/usage', () => import('./developers/usage.tsx')),
  page('/webhooks', () => import('./developers/webhooks.tsx')),
  page('/webhooks/$id', () => import('./developers/webhook.tsx')),
  page('/events', () => import('./developers/events.tsx')),
  page('/clock', () => import('./developers/clock.tsx')),
  page('/clients', () => import('./clients/clients.tsx')),
  page('/clients/$id', () => import('./clients/client.tsx')),
  page('/carts', () => import('./clients/carts.tsx')),
  page('/promotions', () => import('./marketing/promotions.tsx')),
  page('/campaigns', () => import('./marketing/campaigns.tsx')),
  page('/campaigns/new', () => import('./marketing/campaign-builder.tsx')),
  page('/campaigns/$id/edit', () => import('./marketing/campaign-builder.tsx')),
  page('/campaigns/$id', () => import('./marketing/campaign.tsx')),
  page('/templates', () => import('./marketing/templates.tsx')),
  page('/templates/$id', () => import('./marketing/template.tsx')),
  page('/notifications', () => import('./marketing/notifications.tsx')),
  page('/models', () => import('./recommendations/models.tsx')),
  page('/experiments', () => import('./recommendations/experiments.tsx')),
  page('/playground', () => import('./recommendations/playground.tsx')),
  page('/account', () => import('./account/account.tsx')),
  page('/members', () => import('./settings/members.tsx')),
  page('/shop', () => import('./settings/shop.tsx')),
  page('/languages', () => import('./settings/languages.tsx')),
  page('/health', () => import('./settings/health.tsx')),
  page('/console', () => import('./developers/console.tsx')),
  page('/jobs', () => import('./settings/jobs.tsx')),
  page('/audit', () => import('./settings/audit.tsx')),
]

/** Filters are plain texts in the address. */
const plainSearch = {
  parseSearch: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, unknown>) => {
    const text = new URLSearchParams(search as Record<string, string>).toString()
    return text && `?${text}`
  },
}

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  scrollRestoration: true,
  ...plainSearch,
})
