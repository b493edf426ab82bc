-- A fingerprint of SECRET_KEY. A node with another key refuses to start: it could not decrypt what the others stored.

-- in platform

create table secret_key (
  only_row    boolean primary key default true check (only_row),
  fingerprint bytea not null
);
