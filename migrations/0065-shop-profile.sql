-- How the shop presents itself: on its pages and in its mails. No row means the name and colours of the platform.

-- in live, test

create table catalog_shop_profile (
  id         int8 primary key check (id = 1),
  name       text,
  logo_path  text,
  colour     text,
  version    int8 not null default 1,
  updated_at timestamptz not null
);
