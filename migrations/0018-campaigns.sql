-- Campaigns: whom the shop writes to of its own accord, when, and what came of it.

-- in live, test

create table marketing_campaigns (
  id               int8 generated always as identity primary key,
  name             text not null,
  state            text not null check (state in ('draft', 'running', 'paused', 'finished')),
  channel          text not null check (channel in ('email', 'sms', 'push')),
  template         text not null,
  variables        json not null,
  audience         json not null,
  cue              json not null,
  quiet_hours      json,
  repeat_days      int4,
  holdout_percent  int4 not null check (holdout_percent between 0 and 90),
  budget_messages  int8,
  budget_tiyin     int8,
  price_tiyin      int8 not null,
  attribution_days int4 not null,
  ends_at          timestamptz,
  -- Counted with every batch under the row's lock, so that a budget is kept to the message.
  sent             int8 not null default 0 check (sent <= budget_messages),
  cost_tiyin       int8 not null default 0 check (cost_tiyin <= budget_tiyin),
  failed           int8 not null default 0,
  opened           int8 not null default 0,
  clicked          int8 not null default 0,
  -- Up to here occasions have been looked for.
  marked_at        timestamptz,
  pause_reason     text,
  started_at       timestamptz,
  finished_at      timestamptz,
  finish_reason    text,
  version          int8 not null default 1,
  created_at       timestamptz not null,
  updated_at       timestamptz not null
) with (fillfactor = 80);
create index on marketing_campaigns (state, id);

-- A search for occasions that is under way. It goes along the ids of clients, and on from where it was left.
create table marketing_campaign_looks (
  id           int8 generated always as identity primary key,
  campaign_id  int8 not null references marketing_campaigns,
  occasion     text,
  from_at      timestamptz not null,
  until_at     timestamptz not null,
  after_client int8 not null default 0,
  constraint marketing_campaign_looks_occasion unique (campaign_id, occasion)
);

-- A client at an occasion, and what became of it. The key is what makes it happen once.
create table marketing_campaign_targets (
  campaign_id     int8 not null references marketing_campaigns,
  client_id       int8 not null,
  occasion        text not null,
  state           text not null check (state in ('waiting', 'sent', 'held_out', 'suppressed')),
  reason          text,
  due_at          timestamptz not null,
  decided_at      timestamptz,
  notification_id uuid,
  primary key (campaign_id, client_id, occasion)
) with (fillfactor = 80);
create index marketing_campaign_targets_waiting on marketing_campaign_targets (campaign_id, due_at, client_id)
  where state = 'waiting';
create index marketing_campaign_targets_client on marketing_campaign_targets (client_id, decided_at)
  where state in ('sent', 'held_out');
create index marketing_campaign_targets_age on marketing_campaign_targets (due_at);

-- Orders of those who were written to or held out, within the days in which they count.
create table marketing_campaign_purchases (
  campaign_id  int8 not null references marketing_campaigns,
  order_id     int8 not null,
  client_id    int8 not null,
  is_held_out  bool not null,
  amount_tiyin int8 not null,
  at           timestamptz not null,
  primary key (campaign_id, order_id)
);
create index on marketing_campaign_purchases (order_id);

-- What holds for all campaigns.
create table marketing_campaign_rules (
  single            bool primary key default true check (single),
  quiet_from        text not null,
  quiet_to          text not null,
  messages_per_day  int4 not null,
  messages_per_week int4 not null,
  version           int8 not null default 1,
  updated_at        timestamptz not null
);
insert into marketing_campaign_rules values (true, '21:00', '09:00', 2, 5, 1, '2026-01-01');

-- When clients were last seen looking around, to within half a day.
create table marketing_activity (
  client_id int8 primary key,
  seen_at   timestamptz not null
) with (fillfactor = 80);
create index on marketing_activity (seen_at);

-- Wishes by what is wished for, so that an offer that is gone or back finds them.
create index cart_wishes_offer on cart_wishes (is_moderated, offer_id);
