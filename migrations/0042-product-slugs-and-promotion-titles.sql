-- Earlier slugs of products, and promotion titles in English.

-- in live, test

create table catalog_product_slugs (
  slug       text primary key,
  product_id int8 not null references catalog_products on delete cascade,
  renamed_at timestamptz not null
);
create index on catalog_product_slugs (product_id);

alter table catalog_promotions add column title_en text;
update catalog_promotions set title_en = title;
alter table catalog_promotions alter column title_en set not null;
