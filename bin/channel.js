// Our channel to the process that started us tells of its death, and must not keep us alive when our work is
// done. A worker of ours inherits this file, but needs its own channel: it has another parent.

if (process.env.BOZOR_PARENT === String(process.ppid)) process.channel?.unref()
