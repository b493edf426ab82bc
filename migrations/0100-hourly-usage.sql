-- Calls of applications by hour, for charts: how many, how many above the rate limit, and how close to it.

-- in live, test

create table identity_hourly_usage (
  application_id text not null,
  hour           timestamptz not null,
  calls          int8 not null,
  limited        int8 not null,
  -- The highest share of a rate limit that was used, from 0 to 1.
  peak_share     float8 not null,
  primary key (application_id, hour)
);
create index on identity_hourly_usage (hour);
