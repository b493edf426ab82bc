import { type IconName, iconPaths } from './icon-paths.ts'

export const Icon = ({
  name,
  size = 16,
  className = '',
}: {
  name: IconName
  size?: number
  className?: string
}) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={name === 'more' ? 2 : 1.4}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    className={`shrink-0 ${className}`}
  >
    <path d={iconPaths[name]} />
  </svg>
)
