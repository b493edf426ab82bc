-- Clients that were merged into another one or erased keep their row, because orders refer to their id.

-- in live, test

alter table identity_clients add column merged_into int8 references identity_clients;
alter table identity_clients add column erased_at timestamptz;
create index on identity_clients (created_at, id);
create index on identity_clients (lower(name) text_pattern_ops);

update job_leases set name = renamed.name from (values
  ('forget-old-records', 'purge-old-records'), ('forget-sessions', 'purge-sessions'), ('forget-tokens', 'purge-tokens')
) as renamed (old, name) where job_leases.name = renamed.old;
update job_runs set name = renamed.name from (values
  ('forget-old-records', 'purge-old-records'), ('forget-sessions', 'purge-sessions'), ('forget-tokens', 'purge-tokens')
) as renamed (old, name) where job_runs.name = renamed.old;
