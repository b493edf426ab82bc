-- Requests of members who lost their password. Only hashes of tokens are stored.

-- in platform

create table identity_member_password_resets (
  id           text primary key,
  member_id    text not null references identity_members,
  hash         bytea unique,
  requested_at timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz
);
create index on identity_member_password_resets (member_id);
create index on identity_member_password_resets (requested_at);
