-- How the shop presents itself: on its pages and in its mails. Null means the name, logo and colour of the platform.
-- The row always exists, so that it can be locked.

-- in live, test

create table catalog_shop_profile (
  id         int8 primary key check (id = 1),
  name       text,
  logo_path  text,
  colour     text,
  version    int8 not null default 0,
  updated_at timestamptz not null default now()
);

insert into catalog_shop_profile (id) values (1);
