-- Experiments that lose purchases stop themselves.

-- in live, test

alter table recommendations_experiments
  -- The largest loss of purchases that is accepted, as a share; null for no limit.
  add column max_harm float8 check (max_harm >= 0 and max_harm <= 1),
  -- Why it was stopped.
  add column stop_reason text;
