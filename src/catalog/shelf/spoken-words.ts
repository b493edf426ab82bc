// Words as people say them, where the ear and the letters differ too much for a slip: айфон is iPhone.

const rows = [
  'айфон ayfon iphone',
  'айпад ipad',
  'макбук macbook',
  'эпл эппл apple',
  'аирподс эйрподс эирподс airpods',
  'сяоми ксиаоми ксяоми шаоми xiaomi',
  'хуавей хуавэй huawei',
  'элджи лджи lg',
  'эйсер acer',
  'найк nike',
  'плейстейшн плейстейшен playstation',
  'иксбокс xbox',
  'ютуб youtube',
  'блютуз блютус bluetooth',
  'вайфай wifi',
  'телек телик телевизор',
  'ноут ноутбук',
  'комп компьютер',
  'стиралка стиральная',
  'микроволновка микроволновая',
  'холодос холодильник',
  'мобильник сотка смартфон',
]

/** What is sought when a spoken word was typed: the last of its row. */
const meant = new Map(
  rows.flatMap((row) => {
    const words = row.split(' ')
    return words.slice(0, -1).map((spoken) => [spoken, words.at(-1)!] as const)
  }),
)

export const meantBy = (word: string): string | undefined => meant.get(word)
