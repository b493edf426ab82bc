export { demoRecords, demoSeed } from './demo-records.ts'
export { stockDemoShop } from './stock-demo-shop.ts'
