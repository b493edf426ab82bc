-- Rules for all members, which owners set.

-- in platform

create table identity_member_rules (
  id                  int8 primary key check (id = 1),
  two_step_for_owners bool not null,
  updated_at          timestamptz not null
);
