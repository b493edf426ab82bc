-- What a change by a member changed: fields with their values before and after.

-- in live, test

alter table identity_audit add column changes jsonb not null default '[]';
