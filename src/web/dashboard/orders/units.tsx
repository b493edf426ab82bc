/** The units of a fulfilment or a return, one line for each product. */
export const Units = ({ texts }: { texts: readonly string[] }) => (
  <ul>
    {texts.map((it) => (
      <li key={it}>{it}</li>
    ))}
  </ul>
)
