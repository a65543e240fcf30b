print("stoic-demo")
