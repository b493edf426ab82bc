-- Credentials of applications that belong to the platform itself, such as the storefront. They are encrypted.

-- in live, test

create table identity_own_applications (
  name           text primary key,
  application_id text not null,
  sealed         bytea not null,
  created_at     timestamptz not null
);
