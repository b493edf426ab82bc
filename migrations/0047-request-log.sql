-- Recent calls of applications, for their developers.

-- in live, test

create table identity_request_log (
  id             uuid primary key,
  at             timestamptz not null,
  request_id     text not null,
  method         text not null,
  path           text not null,
  route          text,
  status         int4 not null,
  error_code     text,
  ms             float8 not null,
  credential     text,
  application_id text,
  user_agent     text,
  request_body   text,
  reply_body     text,
  skipped        int4 not null
);
create index on identity_request_log (at, id);
create index on identity_request_log (request_id);
create index on identity_request_log (credential, at);
