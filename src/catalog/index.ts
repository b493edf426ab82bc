export { createBrand } from './create-brand.ts'
export { createCategory } from './create-category.ts'
export { pages } from './pictures.ts'
export { routes } from './routes.ts'
