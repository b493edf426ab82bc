import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { auditChanges } from './audit-changes.ts'

const kept = { isDeleted: false }
const route = '/v1/catalog/brands/{brand_id}'

test('fields that differ are listed with both values, and the time of the change is not', () => {
  const before = { brand: { id: '1', name: 'Artel', slug: 'artel', updated_at: 'a' } }
  const after = { brand: { id: '1', name: 'Artel Uz', slug: 'artel', updated_at: 'b' } }
  deepEqual(auditChanges(route, before, after, kept), [
    { field: 'name', before: '"Artel"', after: '"Artel Uz"' },
  ])
})

test('a deleted record is listed with its last values', () => {
  deepEqual(auditChanges(route, { brand: { id: '1', name: 'Artel' } }, null, { isDeleted: true }), [
    { field: 'id', before: '"1"', after: null },
    { field: 'name', before: '"Artel"', after: null },
  ])
})

test('of persons only the names of the changed fields are kept', () => {
  const before = { client: { id: '7', name: 'Aziza', phone: '+998901234567' } }
  const after = { client: { id: '7', name: 'Aziza', phone: '+998907654321' } }
  deepEqual(auditChanges('/v1/admin/clients/{client_id}', before, after, kept), [
    { field: 'phone', before: null, after: null },
  ])
})

test('of campaigns too, because the log is read with another scope', () => {
  const [before, after] = ['a', 'b'].map((name) => ({ campaign: { name } }))
  deepEqual(auditChanges('/v1/marketing/campaigns/{campaign_id}', before, after, kept), [
    { field: 'name', before: null, after: null },
  ])
})

test('a reply that is no version of the record says nothing', () => {
  deepEqual(auditChanges(route, { brand: { name: 'Artel' } }, { accepted: true }, kept), [])
  deepEqual(auditChanges(route, { brands: [1, 2] }, { brands: [1] }, kept), [])
  deepEqual(auditChanges(route, undefined, { brand: { name: 'Artel' } }, kept), [])
})

test('long values are cut', () => {
  const [change] = auditChanges(route, { brand: { text: 'a' } }, { brand: { text: 'b'.repeat(9_000) } }, kept)
  deepEqual(change?.after?.length, 500)
})
