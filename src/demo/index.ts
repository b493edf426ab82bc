export { stockDemoShop } from './stock-demo-shop.ts'
