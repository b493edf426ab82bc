-- What was learned from searches: one row.

-- in live, test

create table catalog_search_learning (
  id          int8 primary key check (id = 1),
  is_enabled  bool not null,
  is_winning  bool not null,
  predictions jsonb not null,
  comparison  jsonb,
  version     int8 not null default 1,
  learned_at  timestamptz
);
insert into catalog_search_learning (id, is_enabled, is_winning, predictions) values (1, true, false, '[]');
