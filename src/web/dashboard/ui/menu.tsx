import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import type { IconName } from './icon-paths.ts'
import { Icon } from './icons.tsx'

export interface MenuItem {
  label: string
  icon?: IconName
  isChecked?: boolean
  isDanger?: boolean
  onSelect(): void
}

/** Groups of choices behind a button. */
export function Menu({
  button,
  groups,
  align = 'end',
}: {
  button: ReactNode
  groups: { label?: string; items: MenuItem[] }[]
  align?: 'start' | 'end'
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{button}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          className="bg-surface shadow-float rise z-40 min-w-44 rounded-lg p-1"
        >
          {groups.map((group, at) => (
            <DropdownMenu.Group key={group.label ?? at}>
              {at > 0 && <DropdownMenu.Separator className="bg-line my-1 h-px" />}
              {group.label && (
                <DropdownMenu.Label className="text-faint px-2 pt-1.5 pb-1 text-xs">
                  {group.label}
                </DropdownMenu.Label>
              )}
              {group.items.map((it) => (
                <DropdownMenu.Item
                  key={it.label}
                  onSelect={it.onSelect}
                  className={`data-highlighted:bg-hover flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 outline-none ${it.isDanger ? 'text-bad' : ''}`}
                >
                  {it.icon && <Icon name={it.icon} className="opacity-70" />}
                  <span className="flex-1">{it.label}</span>
                  {it.isChecked && <Icon name="check" className="text-accent" />}
                </DropdownMenu.Item>
              ))}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
