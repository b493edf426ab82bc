// Why each error occurs and what to do about it, for the error catalogue.

import type { RefusalCode } from '../http/refusals.ts'

interface Advice {
  cause: string
  remedy: string
}

const row = (cause: string, remedy: string): Advice => ({ cause, remedy })

// oxfmt-ignore
export const errorAdvice: Record<RefusalCode, Advice> = {
  invalid_json:            row('The body is empty, is not JSON, is not UTF-8, or is nested too deeply: `details.reason` says which.', 'Serialize the body with a JSON library and send it as UTF-8 without a byte order mark.'),
  invalid_header:          row('A header such as `X-Timezone`, `X-Currency` or `If-Match` has a value that does not exist, or was sent twice.', 'Use one of `details.allowed`, or leave the header out.'),
  invalid_idempotency_key: row('The `Idempotency-Key` is empty, too long, or has characters outside visible ASCII.', 'Send a UUID.'),
  buyer_required:          row('The request names no buyer, or more than one.', 'Send exactly one of the fields in `details.accepted`: a client id or the session id of a guest.'),
  unauthorized:            row('There is no credential, or it is unknown, revoked or expired: `details.reason`.', 'For `token_expired` refresh the token. For `missing` send `Authorization: Bearer`. Otherwise create a new key.'),
  invalid_credentials:     row('The login does not exist, or the password is wrong. The reply does not say which.', 'Ask the person again, or offer a password reset.'),
  two_step_required:       row('The password is right, and the member has two-step sign-in: `details.reason` is `missing` or `wrong`.', 'Ask for the code of the authenticator application, or a recovery code, and repeat the request with `code`.'),
  insufficient_permissions: row('The credential lacks a scope, or the call is for members, owners, staff or clients only.', 'Compare `details.required_scopes` with `details.current_scopes`; add the scope to the application, or call with a session.'),
  buyer_mismatch:          row('A token or session of one buyer names another buyer.', 'Leave the field in `details.field` out: the credential already says who the buyer is.'),
  origin_mismatch:         row('A write with a session cookie comes from a page of another origin.', 'Register the origin with the application, or send `X-CSRF-Token`.'),
  https_required:          row('The live environment was called over plain HTTP.', 'Use HTTPS.'),
  not_found:               row('What `details.resource` and `details.id` name does not exist in this environment, or the credential may not see it.', 'Check the id and the environment: test and live share no data.'),
  method_not_allowed:      row('The path exists, the method does not.', 'Use one of `details.allowed`.'),
  not_acceptable:          row('The `Accept` header excludes every type that the call can answer in.', 'Send `Accept: application/json`, or one of `details.available`.'),
  request_timeout:         row('The body arrived too slowly.', 'Repeat the request.'),
  payload_too_large:       row('The body exceeds the limit of the call.', 'Send less at once. For many records use the import, which has no limit.'),
  uri_too_long:            row('The address exceeds the limit in `details.limit`.', 'Move long lists into the body where the call accepts one.'),
  unsupported_media_type:  row('The `Content-Type` is not one that the call takes, or the body is compressed.', 'Send the type in `details.expected`.'),
  headers_too_large:       row('The headers together are too large, often because of cookies.', 'Send fewer or shorter headers.'),
  idempotency_in_progress: row('The first request with this `Idempotency-Key` has not finished.', 'Repeat the request after `Retry-After`; the stored reply is returned.'),
  conflict:                row('The request contradicts what exists: a value is taken, something is in use, a number is reached. `details.reason` says what.', 'Choose another value, or change the other thing first.'),
  invalid_transition:      row('The object is in a state that does not allow the step.', 'Read it again and take one of `details.allowed`.'),
  price_changed:           row('`ExpectedTotalAmount` differs from what ordering costs now.', 'Show the new total and the changed lines in `details.lines` to the buyer, and order again with `details.actual`.'),
  version_mismatch:        row('The object changed after you read the version in `If-Match`.', 'Read it again, apply your change to the new version, and repeat the request.'),
  validation_failed:       row('Fields are missing, unknown or outside their limits. `details.fields` lists all of them.', 'Correct every field; `rule` and `limit` say how, `message` is for people.'),
  idempotency_key_reused:  row('The same `Idempotency-Key` came with another request.', 'Use a new key for every new intention, and the same key only for repetitions.'),
  stock_exceeded:          row('Fewer units are available than requested.', 'Offer `available` of the violation to the buyer.'),
  purchase_limit_exceeded: row('The order would exceed what a client may buy for on a business day.', 'Order less today: limit and used amount are in the violation.'),
  product_limit_exceeded:  row('Too many units of one product, in this order or in thirty days.', 'Lower the quantity as the `remedy` says.'),
  credit_limit_exceeded:   row('Instalments would exceed the credit limit of the client.', 'Pay open instalments first, or pay this order at once.'),
  guest_limit_exceeded:    row('Guests may buy fewer units and for less than clients.', 'Let the buyer sign in and merge the cart.'),
  authorization_required:  row('A guest orders for more than guests may without signing in.', 'Let the buyer sign in and merge the cart.'),
  loan_condition_required: row('Payment in instalments was chosen, and a line has no loan condition.', 'Choose one of `loan_condition_ids` in the `remedy` for each line.'),
  loan_condition_unavailable: row('The loan condition belongs to another offer, or its promotion has ended.', 'Choose one of the conditions in the `remedy`, or none.'),
  partner_credit_inactive: row('The partner has stopped selling in instalments.', 'Clear the loan condition, or take an offer of another partner.'),
  payment_method_not_allowed: row('The payment method does not go with this buyer, cart or environment.', 'Choose one of `payment_method_ids` in the `remedy`.'),
  offer_unavailable:       row('The offer is hidden, inactive, sold out, or not sold in this region.', 'Remove the line, or choose another offer of the product.'),
  moderation_pending:      row('The moderated offer has not been approved.', 'Wait for the decision of the operator.'),
  delivery_method_required: row('A partner of the order has delivery methods, and none was chosen.', 'Show the delivery methods of the cart and send one per partner in `Delivery.Methods`.'),
  delivery_unavailable:    row('The chosen method does not serve the address or the order.', 'Choose one of the methods that the cart lists for the region.'),
  amount_too_large:        row('The total exceeds what can be counted exactly.', 'Lower quantities.'),
  mandate_required:        row('The client has granted a mandate to this application, so it orders within one only.', 'List the mandates with `GET /v1/mandates` and send the id of an active one as `MandateId` or `mandate_id`.'),
  mandate_invalid:         row('The mandate is expired, revoked, or of another client or application: `reason` of the violation.', 'Ask the client for a new mandate.'),
  mandate_category_not_allowed: row('A product is in a category that the mandate does not cover.', 'Remove the line, or ask the client for a mandate that covers the category.'),
  mandate_budget_exceeded: row('All orders under the mandate together would cost more than its budget.', 'Order for at most `available` of the violation, or ask the client for a new mandate.'),
  confirmation_required:   row('The mandate asks the client to confirm each order, and this version of the cart is not confirmed for this total.', 'Show cart and total to the client. After `POST /v1/mandates/{mandate_id}/confirmations` in their session, repeat the order without changing the cart.'),
  cart_empty:              row('There is nothing to order.', 'Add items first.'),
  nothing_orderable:       row('Every line of the cart is unavailable.', 'Remove unavailable lines and add others.'),
  cart_full:               row('The cart has as many lines as it may have.', 'Remove a line.'),
  wishlist_full:           row('The wishlist has as many offers as it may have.', 'Remove an offer.'),
  shared_cart_closed:      row('The shared cart was closed, taken or has expired.', 'Create a new one.'),
  rate_limit_exceeded:     row('The credential sent more requests than its limit in the window.', 'Wait `Retry-After` seconds. Spread requests, cache reads, or ask for a higher limit.'),
  internal_error:          row('A defect of the server. The log has its cause under the request id.', 'Report `meta.request_id`. Repeat writes only with the same `Idempotency-Key`.'),
  service_unavailable:     row('The server is overloaded, restarting, or busy with the same row.', 'Repeat after `Retry-After` with exponential backoff.'),
  storage_unavailable:     row('The database cannot be reached.', 'Repeat after `Retry-After` with exponential backoff.'),
}
