-- Pictures that were uploaded; their files are in the data directory.

-- in live, test

create table catalog_pictures (
  id         text primary key,
  width      int4 not null,
  height     int4 not null,
  bytes      int8 not null,
  created_at timestamptz not null
);
create index on catalog_pictures (created_at);
