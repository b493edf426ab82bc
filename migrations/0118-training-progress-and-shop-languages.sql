-- What a training has measured so far, for plots; and the languages that the storefront and mails of a shop offer.

-- in live, test

alter table recommendations_trainings add column progress jsonb not null default '[]';

alter table catalog_shop_profile add column languages text[] not null default '{ru,uz,en}';
alter table catalog_shop_profile add column default_language text not null default 'ru';
