export { demoRecords, demoSeed } from './demo-records.ts'
export { liveDemoLife } from './live-demo-life.ts'
export { stockDemoShop } from './stock-demo-shop.ts'
