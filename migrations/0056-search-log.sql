-- What is searched for, without who searched, and what buyers did with the results.

-- in live, test

create table catalog_search_queries (
  id       uuid primary key,
  query    text not null,
  searches int8 not null,
  results  int8 not null,
  last_at  timestamptz not null
);
create index on catalog_search_queries (last_at);
create index on catalog_search_queries (searches);

create table catalog_search_interactions (
  search_id uuid not null references catalog_search_queries on delete cascade,
  day       date not null,
  offer     text not null,
  kind      text not null,
  count     int8 not null,
  primary key (search_id, day, offer, kind)
);
create index on catalog_search_interactions (day);
