import Redis
import Testing
