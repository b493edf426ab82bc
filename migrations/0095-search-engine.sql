-- The words and rows of the text index when SEARCH_ENGINE is postgres. Empty with any other engine.

-- in live, test

create table catalog_search_words (
  id        int8 generated always as identity primary key,
  -- Compared by bytes, as the index in memory does.
  key       text collate "C" not null unique,
  fields    int2 not null,
  -- How many products have the word.
  rows      int8 not null default 0,
  stems     text[] not null,
  deletes   int4[] not null,
  sounds    text[] not null,
  sound_key text,
  latin     text,
  cyrillic  text
);
create index catalog_search_words_stems on catalog_search_words using gin (stems);
create index catalog_search_words_deletes on catalog_search_words using gin (deletes);
create index catalog_search_words_sounds on catalog_search_words using gin (sounds);

-- hash: of all texts of the product, to know whether they have changed.
create table catalog_search_rows (
  product_id int8 primary key,
  hash       int8 not null
);

create table catalog_search_postings (
  word_id    int8 not null,
  product_id int8 not null,
  fields     int2 not null,
  primary key (word_id, product_id) include (fields)
);
create index catalog_search_postings_product on catalog_search_postings (product_id);
