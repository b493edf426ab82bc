// The regions of Uzbekistan by their ISO 3166-2 codes. Codes of other countries are accepted too, without a name.

import type { Language } from '../../http/language.ts'

// oxfmt-ignore
export const regions: { code: string; name: Record<Language, string> }[] = [
  { code: 'UZ-TK', name: { ru: 'город Ташкент', uz: 'Toshkent shahri', en: 'Tashkent city' } },
  { code: 'UZ-TO', name: { ru: 'Ташкентская область', uz: 'Toshkent viloyati', en: 'Tashkent region' } },
  { code: 'UZ-AN', name: { ru: 'Андижанская область', uz: 'Andijon viloyati', en: 'Andijan region' } },
  { code: 'UZ-BU', name: { ru: 'Бухарская область', uz: 'Buxoro viloyati', en: 'Bukhara region' } },
  { code: 'UZ-FA', name: { ru: 'Ферганская область', uz: 'Farg‘ona viloyati', en: 'Fergana region' } },
  { code: 'UZ-JI', name: { ru: 'Джизакская область', uz: 'Jizzax viloyati', en: 'Jizzakh region' } },
  { code: 'UZ-XO', name: { ru: 'Хорезмская область', uz: 'Xorazm viloyati', en: 'Khorezm region' } },
  { code: 'UZ-NG', name: { ru: 'Наманганская область', uz: 'Namangan viloyati', en: 'Namangan region' } },
  { code: 'UZ-NW', name: { ru: 'Навоийская область', uz: 'Navoiy viloyati', en: 'Navoiy region' } },
  { code: 'UZ-QA', name: { ru: 'Кашкадарьинская область', uz: 'Qashqadaryo viloyati', en: 'Kashkadarya region' } },
  { code: 'UZ-QR', name: { ru: 'Республика Каракалпакстан', uz: 'Qoraqalpog‘iston Respublikasi', en: 'Republic of Karakalpakstan' } },
  { code: 'UZ-SA', name: { ru: 'Самаркандская область', uz: 'Samarqand viloyati', en: 'Samarkand region' } },
  { code: 'UZ-SI', name: { ru: 'Сырдарьинская область', uz: 'Sirdaryo viloyati', en: 'Syrdarya region' } },
  { code: 'UZ-SU', name: { ru: 'Сурхандарьинская область', uz: 'Surxondaryo viloyati', en: 'Surkhandarya region' } },
]

/** The name of a region, or its code when it has none here. */
export const regionName = (code: string, language: Language): string =>
  regions.find((it) => it.code === code)?.name[language] ?? code
