-- What other engines have learnt, joined to models; and whose a model's ranker is.

-- in live, test

alter table recommendations_models drop constraint recommendations_models_origin_check;
alter table recommendations_models
  add constraint recommendations_models_origin_check check (origin in ('trained', 'uploaded', 'imported')),
  -- Ours, or one that somebody brought in, which trainings leave in its place.
  add column ranker_origin text check (ranker_origin in ('trained', 'uploaded')),
  -- What was brought in from another engine: its kind, how many products it knows, until when it had learnt.
  add column outside       jsonb;
update recommendations_models set ranker_origin = origin where has_ranker;
