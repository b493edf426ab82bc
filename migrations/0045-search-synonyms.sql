-- The shop's own search synonyms: one text with one meaning per line.

-- in live, test

create table catalog_search_synonyms (
  id         int8 primary key check (id = 1),
  text       text not null,
  version    int8 not null default 1,
  updated_at timestamptz not null
);
