// Words that stand in every text and tell nothing of what is sold.

// oxfmt-ignore
const empty = new Set(
  ('и в во на с со для из по к от до за о об у или а но как при va uchun bilan ham ' +
    'a the an and or for of in on with to by from').split(' '),
)

export const isEmpty = (word: string): boolean => empty.has(word)
