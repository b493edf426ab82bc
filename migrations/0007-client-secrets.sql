-- An application may have several secrets for a while, so that a change of secrets stops nobody. Only hashes are kept.

-- in platform

create table identity_client_secrets (
  id         text primary key,
  client_id  text not null references identity_applications,
  hash       bytea not null unique,
  hint       text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index on identity_client_secrets (client_id, created_at, id);

insert into identity_client_secrets (id, client_id, hash, hint, created_at)
select 'sec_' || substr(md5(client_id), 1, 20), client_id, secret_hash, 'sk_' || environment || '_…', created_at
from identity_applications where secret_hash is not null;
alter table identity_applications drop column secret_hash;
