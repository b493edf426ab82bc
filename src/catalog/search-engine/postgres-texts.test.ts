import { holdsContract } from '../../../test/support/search-contract.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { PostgresTexts } from './postgres-texts.ts'

const platform = await openPlatform()

holdsContract('postgres', (environment) => new PostgresTexts(platform.app.shops[environment]))
