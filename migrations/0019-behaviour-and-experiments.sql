-- One history of each buyer from all that is known of him, what he was shown, and experiments on it.

-- in live, test

-- A buyer is known by one name: a client by his number, anybody else by the hash that other facts name him by, because
-- what he is called outside may be a session that opens his cart.
alter table recommendations_interactions
  -- As it was reported, where it is not our name for him; a session of ours is not kept.
  add column spelled      text,
  -- Who saw it: an application that reported it, or the shop itself.
  add column origin       text not null default 'app' check (origin in ('app', 'shop')),
  -- How the list that led to it is known: it was said, a click led here, or it was shown shortly before.
  add column via          text check (via in ('said', 'click', 'shown')),
  add column units        int4,
  add column amount_tiyin int8;
update recommendations_interactions set via = 'said' where request_id is not null;
update recommendations_interactions
  set spelled = buyer, buyer = 'guest-' || left(encode(sha256(convert_to(buyer, 'UTF8')), 'hex'), 32)
  where buyer !~ '^[1-9][0-9]{0,15}$';
create index on recommendations_interactions (request_id) where request_id is not null;

-- A session that turned out to be a client's, or a name that a client has outside.
alter table recommendations_names
  add column kind           text not null default 'session' check (kind in ('session', 'outside')),
  add column spelled        text,
  -- The buyer draws his groups by this name: he had been shown something under it before anybody knew who he is.
  add column decides_groups bool not null default false;
update recommendations_names
  set name = 'guest-' || left(encode(sha256(convert_to(name, 'UTF8')), 'hex'), 32)
  where name !~ '^[1-9][0-9]{0,15}$' and name !~ '^guest-[0-9a-f]{32}$';
insert into recommendations_names (name, buyer, at, kind, spelled)
  select distinct on (spelling) 'guest-' || left(encode(sha256(convert_to(spelling, 'UTF8')), 'hex'), 32), id::text, now(), 'outside', outside
  from identity_clients, unnest(external_ids) as outside,
    lateral (select outside union select lower(outside) where outside ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
             union select upper(outside) where outside ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$') as spellings (spelling)
  where outside !~ '^[1-9][0-9]{0,15}$'
  order by spelling, id
  on conflict do nothing;

-- Whose cart it is, by our name for him: what was put into a cart may be heard of when the cart is gone.
create table recommendations_carts (
  cart_id uuid primary key,
  buyer   text not null,
  at      timestamptz not null
);
create index on recommendations_carts (at);

create table recommendations_experiments (
  id         int8 generated always as identity primary key,
  slug       text not null,
  name       text not null,
  status     text not null check (status in ('draft', 'running', 'stopped')),
  -- The pages that it is about.
  layers     text[] not null,
  groups     jsonb not null,
  version    int8 not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  stopped_at timestamptz,
  constraint recommendations_experiments_slug unique (slug)
);

-- What was shown: a row for a list. Its place in a list is an offer's position.
create table recommendations_lists (
  id            uuid not null,
  at            timestamptz not null,
  buyer         text,
  channel       text not null,
  layer         text not null,
  source        text not null,
  experiment_id int8,
  group_name    text,
  model_id      int8,
  offers        text[] not null,
  -- How each came: from the candidates, to be tried, or to fill the list; and its rank before the ranker and after it.
  ways          text not null,
  ranks_before  int2[] not null,
  ranks_after   int2[] not null,
  -- What was asked, for whoever wants to know why.
  asked         json not null,
  took_ms       float4 not null,
  -- It stands for so many like it that were not written down.
  stands_for    float4 not null default 1,
  primary key (id, at)
) partition by range (at);
create index on recommendations_lists (at);
create index on recommendations_lists (buyer, at) where buyer is not null;
create index on recommendations_lists (experiment_id, at) where experiment_id is not null;
create table recommendations_lists_rest partition of recommendations_lists default;

-- Days that were counted, because what was shown is not kept for ever.
create table recommendations_days (
  day     date not null,
  -- Empty for all sources together.
  source  text not null,
  figures json not null,
  primary key (day, source)
);

-- How far the past of a demo shop has been loaded.
create table demo_lives (
  single      bool primary key default true check (single),
  ends_at     timestamptz not null,
  next_buyer  int4 not null default 1,
  finished_at timestamptz
);
