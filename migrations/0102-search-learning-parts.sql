-- What was learned from searches has three parts: categories, synonyms and a ranker. Operators allow each by itself.

-- in live, test

alter table catalog_search_learning
  add column synonyms jsonb not null default '{"isEnabled":true,"isWinning":false,"comparison":null,"learned":[]}',
  add column ranker   jsonb not null default '{"isEnabled":true,"isWinning":false,"comparison":null,"learned":null}',
  add column are_predictions_enabled bool not null default true;
