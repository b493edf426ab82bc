-- What recommendations have learnt: models with their figures, and their bytes in pieces, so that every node can fetch them.

-- in live, test

create table recommendations_models (
  id           int8 generated always as identity primary key,
  origin       text not null check (origin in ('trained', 'uploaded')),
  made_at      timestamptz not null,
  -- Deeds after this instant were not learnt from.
  learnt_until timestamptz not null,
  checksum     bytea not null,
  size_bytes   int8 not null,
  products     int4 not null,
  has_ranker   bool not null,
  metrics      jsonb not null,
  is_active    bool not null default false
);
create unique index recommendations_models_active on recommendations_models (is_active) where is_active;

create table recommendations_model_pieces (
  model_id int8 not null references recommendations_models on delete cascade,
  place    int4 not null,
  bytes    bytea not null,
  primary key (model_id, place)
);

create table recommendations_trainings (
  id          int8 generated always as identity primary key,
  started_at  timestamptz not null,
  finished_at timestamptz,
  outcome     text not null check (outcome in ('running', 'activated', 'kept', 'nothing', 'failed')),
  note        text not null,
  model_id    int8
);
