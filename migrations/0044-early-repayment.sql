-- What early repayment costs: the share of the commission that is still charged for instalments that are not due yet.

-- in live, test

alter table catalog_loan_conditions
  add column early_commission_percent int4 not null default 100 check (early_commission_percent between 0 and 100);

-- Null for orders that were placed before: the whole commission is charged.
alter table orders_lines add column loan_early_commission_percent int4;
