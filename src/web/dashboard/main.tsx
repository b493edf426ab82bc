import { MutationCache, QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BozorConnectionError, BozorError } from '../../sdk/index.ts'
import { staleMs } from './app/data.ts'
import { loadMe, meKey, PreferencesProvider, SessionProvider, usePreferences } from './app/session.tsx'
import { unreachableEvent } from './app/unreachable.ts'
import { SignIn } from './frame/sign-in.tsx'
import { router } from './router.tsx'
import { Failure, Skeleton } from './ui/states.tsx'
import { ToastProvider } from './ui/toast.tsx'
import './style.css'

const maxRetries = 3

/** A session that ended leads to the sign-in page; the address stays, so signing in leads back. */
const onError = (error: Error) => {
  if (error instanceof BozorError && error.status === 401) queries.setQueryData(meKey, null)
  if (error instanceof BozorConnectionError) window.dispatchEvent(new Event(unreachableEvent))
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: staleMs,
      retry: (failures, error) => error instanceof BozorConnectionError && failures < maxRetries,
    },
  },
})

function Dashboard() {
  const { language } = usePreferences()
  const me = useQuery({ queryKey: meKey, queryFn: () => loadMe(language), staleTime: Infinity })
  if (me.error) return <Failure error={me.error} onRetry={() => void me.refetch()} />
  if (me.data === undefined) return <Skeleton className="m-6 h-8 w-48" />
  if (me.data === null) return <SignIn />
  return (
    <SessionProvider me={me.data}>
      <RouterProvider router={router} />
    </SessionProvider>
  )
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <PreferencesProvider>
        <ToastProvider>
          <Dashboard />
        </ToastProvider>
      </PreferencesProvider>
    </QueryClientProvider>
  </StrictMode>,
)
