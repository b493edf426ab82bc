-- The second step of a member's sign-in. Secrets are encrypted; of recovery codes only hashes are stored.

-- in platform

create table identity_member_two_steps (
  member_id    text primary key references identity_members,
  secret       bytea not null,
  -- The time step of the last accepted code: a code works once.
  last_step    int8 not null,
  created_at   timestamptz not null,
  confirmed_at timestamptz
);

create table identity_member_recovery_codes (
  member_id text not null references identity_members,
  hash      bytea not null,
  primary key (member_id, hash)
);
