-- Earlier slugs of categories.

-- in live, test

create table catalog_category_slugs (
  slug        text primary key,
  category_id int8 not null references catalog_categories on delete cascade,
  renamed_at  timestamptz not null
);
create index on catalog_category_slugs (category_id);
